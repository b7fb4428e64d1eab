import { z } from "zod";
import type { OperationGroup } from "@dataspace/api-reference/operation";
import type { RegistryErrorCode } from "../errors.ts";
import { EXAMPLE_ENAME, ename, token } from "./shapes.ts";

const publicKey = z.string().describe("A P-256 key as multibase text that starts with `z`.");

/** What the registry signs, and the keys that verify it. Source: S1 "Key binding certificate"; decisions I7, X2. */
export const tokenOperations: OperationGroup<RegistryErrorCode, "anybody" | "holder"> = {
  name: "Tokens",
  says: "What the registry signs. Each is a JWT that the keys below verify.",
  schemas: { Token: token },
  operations: [
    {
      id: "entropy",
      method: "get",
      route: "/entropy",
      summary: "Get entropy for a new eName",
      says: "20 random characters, signed, valid for one hour and for one vault.",
      caller: "anybody",
      answers: [{ status: 200, says: "The token.", schema: token }],
      refuses: [],
    },
    {
      id: "certifyKey",
      method: "post",
      route: "/key-binding-certificate",
      summary: "Certify that a key belongs to an eName",
      says: "The certificate holds the key exactly as it was sent, and is valid for one hour.",
      caller: "holder",
      body: {
        schema: z.strictObject({ ename, publicKey }),
        required: true,
        example: { ename: EXAMPLE_ENAME, publicKey: "zDnaerx9CtbPJ1q36T5Ln5wYt3MQYeGRG5ehnPAmxcf5mDZpv" },
      },
      answers: [{ status: 200, says: "The certificate.", schema: token }],
      refuses: ["INVALID_PUBLIC_KEY"],
    },
    {
      id: "certifyPlatform",
      method: "post",
      route: "/platforms/certification",
      summary: "Get a platform token of the older kind",
      says: "It proves no more than that the registry issued it. An operator can switch it off; platforms then prove themselves at `/pp-auth/challenge` of a vault.",
      caller: "anybody",
      body: {
        schema: z.strictObject({ platform: z.string().max(256).describe("The platform's name or address.") }),
        required: true,
        example: { platform: "https://platform.example" },
      },
      answers: [{ status: 200, says: "A token for one year.", schema: token }],
      refuses: ["LEGACY_TOKENS_DISABLED"],
    },
    {
      id: "listPlatforms",
      method: "get",
      route: "/platforms",
      summary: "List addresses of platforms",
      says: "The addresses for which platform tokens were issued, 1,000 at most.",
      caller: "anybody",
      answers: [{ status: 200, says: "The addresses.", schema: z.array(z.string()) }],
      refuses: [],
    },
    {
      id: "readKeys",
      method: "get",
      route: "/.well-known/jwks.json",
      summary: "Read the registry's public keys",
      says: "A JWK set (RFC 7517). Cache it for 300 seconds.",
      caller: "anybody",
      answers: [
        {
          status: 200,
          says: "The keys.",
          schema: z.strictObject({ keys: z.array(z.looseObject({ kid: z.string() })) }),
        },
      ],
      refuses: [],
    },
  ],
};
