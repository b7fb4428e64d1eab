import { z } from "zod";
import type { OperationGroup } from "@dataspace/api-reference/operation";
import type { RegistryErrorCode } from "../errors.ts";
import { EXAMPLE_PLATFORM, ename } from "./shapes.ts";

const release = z.strictObject({
  platformEname: ename,
  version: z.string().describe("1 to 64 of `0-9 A-Z a-z . + _ -`."),
});
const fullRelease = release.extend({
  releaseTag: z.string().max(256),
  commitSha: z.string().describe("40 to 64 hexadecimal digits."),
});
const EXAMPLE_RELEASE = { platformEname: EXAMPLE_PLATFORM, version: "1.4.0" };
const recorded = z.looseObject({ kind: z.literal("software_version"), ename: z.string() });

/** Releases of platforms, each under an eName of its own. Source: decisions A6, X2. */
export const releaseOperations: OperationGroup<RegistryErrorCode, "anybody" | "holder"> = {
  name: "Releases and health",
  says: "A release of a platform has an eName, which is computed from the platform's eName and the version. A version is recorded once.",
  schemas: {},
  operations: [
    {
      id: "recordRelease",
      method: "post",
      route: "/records/software-versions",
      summary: "Record a release",
      says: "A platform token also proves the caller, while the registry issues them.",
      caller: "holder",
      body: {
        schema: fullRelease,
        required: true,
        example: { ...EXAMPLE_RELEASE, releaseTag: "v1.4.0", commitSha: "0123456789abcdef0123456789abcdef01234567" },
      },
      answers: [
        { status: 201, says: "It is recorded.", schema: recorded },
        { status: 200, says: "The same release was recorded before.", schema: recorded },
      ],
      refuses: ["VERSION_BOUND"],
    },
    {
      id: "previewRelease",
      method: "post",
      route: "/records/software-versions/preview",
      summary: "Compute the eName of a release",
      says: "It records nothing.",
      caller: "holder",
      body: { schema: release, required: true, example: EXAMPLE_RELEASE },
      answers: [{ status: 200, says: "The eName.", schema: recorded }],
      refuses: [],
    },
    {
      id: "readHealth",
      method: "get",
      route: "/healthz",
      summary: "Ask whether it is up",
      says: "It answers without asking its storage.",
      caller: "anybody",
      answers: [{ status: 200, says: "It is up.", schema: z.strictObject({ status: z.literal("ok") }) }],
      refuses: [],
    },
    {
      id: "readMotd",
      method: "get",
      route: "/motd",
      summary: "Read the message of the day",
      says: "Older wallets read it before they begin.",
      caller: "anybody",
      answers: [
        { status: 200, says: "It is up.", schema: z.strictObject({ status: z.literal("up"), message: z.string() }) },
      ],
      refuses: [],
    },
  ],
};
