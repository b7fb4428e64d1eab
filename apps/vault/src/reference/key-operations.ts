import { z } from "zod";
import { addressedOwner, type VaultGroup } from "./vault-operation.ts";

const publicKey = z.strictObject({
  publicKey: z.string().describe("A P-256 key as multibase text that starts with `z`."),
});
const done = z.strictObject({ success: z.literal(true), message: z.string() });
const EXAMPLE_KEY = { publicKey: "zDnaerx9CtbPJ1q36T5Ln5wYt3MQYeGRG5ehnPAmxcf5mDZpv" };

/** The owner's keys, and the service itself. Source: S1 "HTTP endpoints"; decisions I6, V16. */
export const keyOperations: VaultGroup = {
  name: "Keys and service",
  says: "Which keys are the owner's, and whether the service is up.",
  schemas: {},
  operations: [
    {
      id: "whois",
      method: "get",
      route: "/whois",
      summary: "Read the owner's certified keys",
      says: "Each certificate is a JWT that the registry signed.",
      caller: "addressed",
      headers: addressedOwner,
      answers: [
        {
          status: 200,
          says: "The owner and the keys.",
          schema: z.strictObject({
            dsid: z.string().describe("The owner's eName."),
            vaultId: z.string(),
            keyBindingCertificates: z.array(z.string()),
          }),
        },
      ],
      refuses: [],
    },
    {
      id: "hasVault",
      method: "head",
      route: "/whois",
      summary: "Ask whether an eName has a vault here",
      says: "404 means that it has none; ask the registry again.",
      caller: "addressed",
      headers: addressedOwner,
      answers: [{ status: 200, says: "It has." }],
      refuses: [],
    },
    {
      id: "addKey",
      method: "patch",
      route: "/public-key",
      summary: "Add a key",
      says: "A vault without a key takes its first one from the provisioner's token or a recovery code. An owner has at most 20 keys.",
      caller: "owner",
      headers: addressedOwner,
      body: { schema: publicKey, required: true, example: EXAMPLE_KEY },
      answers: [{ status: 200, says: "It is stored.", schema: done }],
      refuses: ["INVALID_PUBLIC_KEY", "TOO_MANY_KEYS", "FORBIDDEN"],
    },
    {
      id: "removeKey",
      method: "delete",
      route: "/public-key",
      summary: "Remove a key",
      says: "The last key cannot be removed.",
      caller: "owner",
      headers: addressedOwner,
      body: { schema: publicKey, required: true, example: EXAMPLE_KEY },
      answers: [{ status: 200, says: "It is removed.", schema: done }],
      refuses: ["INVALID_PUBLIC_KEY", "LAST_KEY", "NOT_FOUND", "FORBIDDEN"],
    },
    {
      id: "readSchema",
      method: "get",
      route: "/schema.graphql",
      summary: "Read the GraphQL schema",
      says: "The schema in GraphQL's own language.",
      caller: "anybody",
      answers: [{ status: 200, says: "The schema.", mediaType: "text/plain", schema: z.string() }],
      refuses: [],
    },
    {
      id: "readHealth",
      method: "get",
      route: "/healthz",
      summary: "Ask whether it is up",
      says: "It answers without asking its storage.",
      caller: "anybody",
      answers: [
        { status: 200, says: "It is up.", schema: z.strictObject({ status: z.literal("ok"), uptimeSeconds: z.int() }) },
      ],
      refuses: [],
    },
  ],
};
