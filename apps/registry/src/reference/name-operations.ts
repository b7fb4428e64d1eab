import { z } from "zod";
import type { OperationGroup } from "@dataspace/api-reference/operation";
import type { RegistryErrorCode } from "../errors.ts";
import { EXAMPLE_ENAME, EXAMPLE_PLATFORM, ename, uri, vault } from "./shapes.ts";

const address = z.strictObject({
  ename,
  uri,
  vault,
  originalUri: z.string().describe("The registered address; the same as `uri`."),
  resolved: z.literal(false).describe("Always false: no health check replaced the address."),
});
const release = z.strictObject({
  kind: z.literal("software_version"),
  ename,
  platformEname: z.string().describe("The platform's eName."),
  version: z.string(),
  releaseTag: z.string(),
  commitSha: z.string().describe("40 to 64 hexadecimal digits."),
});
const registration = z.strictObject({ ename, uri, vault });
const EXAMPLE_ADDRESS = {
  ename: EXAMPLE_ENAME,
  uri: "https://vault.example",
  vault: "vault-1",
  originalUri: "https://vault.example",
  resolved: false as const,
};
const EXAMPLE_REGISTRATION = { ename: EXAMPLE_ENAME, uri: "https://vault.example", vault: "vault-1" };

/** Which address an eName has. Source: S3 "Registry calls used by the adapter and verifiers"; decision X2. */
export const nameOperations: OperationGroup<RegistryErrorCode, "anybody" | "holder"> = {
  name: "Names",
  says: "Which vault, or which release of a platform, an eName stands for.",
  schemas: { Address: address, Registration: registration, Release: release },
  operations: [
    {
      id: "resolve",
      method: "get",
      route: "/resolve",
      summary: "Find the vault of an eName",
      says: "It answers a vault's address, or the record of a release when the eName is that of a software version.",
      caller: "anybody",
      query: z.strictObject({ dsid: ename.meta({ examples: [EXAMPLE_ENAME] }) }),
      answers: [
        {
          status: 200,
          says: "What the eName stands for.",
          schema: z.union([address.extend({ kind: z.literal("vault") }), release]),
          example: { kind: "vault", ...EXAMPLE_ADDRESS },
        },
      ],
      refuses: ["UNKNOWN_ENAME"],
    },
    {
      id: "list",
      method: "get",
      route: "/list",
      summary: "List all vaults",
      says: "An array in the order of registration. The header `Link` has the address of the next page.",
      caller: "anybody",
      query: z.strictObject({
        limit: z.int().min(1).max(1_000).optional().describe("At most so many; 1,000 when absent."),
        cursor: z.string().optional().describe("From the `Link` of the page before."),
      }),
      answers: [{ status: 200, says: "A page.", schema: z.array(address), example: [EXAMPLE_ADDRESS] }],
      refuses: ["BAD_CURSOR"],
    },
    {
      id: "register",
      method: "post",
      route: "/register",
      summary: "Register a vault",
      says: "The same registration sent again changes nothing.",
      caller: "holder",
      body: { schema: registration, required: true, example: EXAMPLE_REGISTRATION },
      answers: [
        { status: 201, says: "It is registered.", schema: z.looseObject(registration.shape) },
        { status: 200, says: "It was registered before.", schema: z.looseObject(registration.shape) },
      ],
      refuses: ["ENAME_TAKEN"],
    },
    {
      id: "changeAddress",
      method: "patch",
      route: "/register",
      summary: "Change the address of a vault",
      says: "At least one of `uri` and `vault` is needed.",
      caller: "holder",
      body: {
        schema: z.strictObject({ ename, uri: uri.optional(), vault: vault.optional() }),
        required: true,
        example: { ename: EXAMPLE_ENAME, uri: "https://other.example" },
      },
      answers: [{ status: 200, says: "It is changed.", schema: z.looseObject(registration.shape) }],
      refuses: ["UNKNOWN_ENAME"],
    },
    {
      id: "unregister",
      method: "delete",
      route: "/register",
      summary: "Remove a vault",
      says: "The eName then resolves to nothing.",
      caller: "holder",
      query: z.strictObject({ ename: ename.meta({ examples: [EXAMPLE_PLATFORM] }) }),
      answers: [
        {
          status: 200,
          says: "It is removed.",
          schema: z.strictObject({ success: z.literal(true), message: z.string() }),
        },
      ],
      refuses: ["UNKNOWN_ENAME"],
    },
  ],
};
