import { HTTP_ERRORS } from "@dataspace/api-reference/http-errors";
import { z } from "zod";
import type { Api } from "@dataspace/api-reference/api";
import { PROVISIONER_ERRORS } from "./errors.ts";
import { BODY } from "./provision-request.ts";

const LIMITED = ["RATE_LIMITED", "STORAGE_FULL", "STORAGE_UNAVAILABLE", "TIMEOUT"];

/** What the provisioner's reference is made from. */
export const provisionerApi: Api = {
  info: {
    title: "Dataspace provisioner",
    summary: "New vaults.",
    about:
      'The provisioner makes vaults on the database of a vault service, and registers them.\n\nEvery refusal is `{"success":false,"error":{"code","message"}}` with the status of its code.',
  },
  credentials: {},
  callers: { anybody: { says: "For whoever has a verification code.", shows: [], refuses: LIMITED } },
  errors: { ...PROVISIONER_ERRORS, ...HTTP_ERRORS },
  more: { refusalMembers: { success: z.literal(false), existingDsid: z.string().optional() } },
  groups: [
    {
      name: "Vaults",
      says: "Making a vault.",
      schemas: {},
      operations: [
        {
          id: "provision",
          method: "post",
          route: "/provision",
          summary: "Make a vault",
          says: "The eName is computed from the namespace and the entropy. The same request sent again after a lost answer is 409 with `existingDsid`.",
          caller: "anybody",
          body: {
            schema: BODY,
            required: true,
            example: {
              registryEntropy: "a token from GET /entropy of the registry",
              namespace: "6ba7b811-9dad-11d1-80b4-00c04fd430c8",
              verificationId: "d66b7138-538a-465f-a6ce-f6985854c3f4",
            },
          },
          answers: [
            {
              status: 200,
              says: "The eName and the vault's address.",
              schema: z.strictObject({ success: z.literal(true), dsid: z.string(), uri: z.string() }),
            },
          ],
          refuses: [
            ...["INVALID_ENTROPY", "INVALID_NAMESPACE", "INVALID_PUBLIC_KEY", "INVALID_VERIFICATION"],
            ...["VERIFICATION_USED", "ENTROPY_SPENT", "ENAME_TAKEN", "REGISTRY_UNAVAILABLE"],
          ],
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
      ],
    },
  ],
};
