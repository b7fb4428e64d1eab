import { z } from "zod";
import { newApiKey } from "../consumers/api-keys.ts";
import { platformApproval } from "../consumers/platforms.ts";
import type { ApiKey } from "../store/api-key-rows.ts";
import type { AwarenessGroup } from "./operation.ts";

const members = {
  id: z.string().describe("The first 16 characters of the key."),
  label: z.string(),
  createdAt: z.iso.datetime({ offset: true }),
};
const apiKey: z.ZodType<ApiKey> = z.strictObject(members);
const madeApiKey: z.ZodType<ApiKey & { readonly key: string }> = z.strictObject({
  ...members,
  key: z.string().describe("The key, shown this once."),
});
const platform = z.strictObject({
  ename: z.string(),
  platform: z.string().describe("The name by which its writes are known."),
});
const EXAMPLE_API_KEY = { id: "dsk_Vb3kQ9x2LmTe", label: "our server", createdAt: "2026-11-22T09:00:00.000Z" };
const EXAMPLE_PLATFORM = { ename: "@7c0e8b5a-4f3d-4a41-9f4c-1d2e3f405162", platform: "blabsy" };
const keyPath = z.strictObject({
  id: z.string().meta({ description: "The key's `id`.", examples: [EXAMPLE_API_KEY.id] }),
});
const platformPath = z.strictObject({
  ename: z.string().meta({ description: "The platform's eName: `@` and a UUID.", examples: [EXAMPLE_PLATFORM.ename] }),
});
const KEYS = "/api/me/api-keys";
const PLATFORMS = "/api/platforms";

/** How a consumer makes credentials for its servers. Source: decision E9. */
export const apiKeyOperations: AwarenessGroup = {
  name: "API keys",
  says: "A wallet makes keys for servers; each stands for the wallet's eName until it is revoked.",
  schemas: { ApiKey: apiKey },
  operations: [
    {
      id: "addApiKey",
      method: "post",
      route: KEYS,
      summary: "Make an API key",
      says: "It is stored as its hash alone. A consumer has at most 20.",
      caller: "wallet",
      body: { schema: newApiKey, required: true, example: { label: EXAMPLE_API_KEY.label } },
      answers: [
        {
          status: 201,
          says: "The key.",
          schema: madeApiKey,
          example: { ...EXAMPLE_API_KEY, key: "dsk_Vb3kQ9x2LmTeYw7uJ5cRfA0hZ8nDpG4sKiX1oBqM6vE" },
        },
      ],
      refuses: ["TOO_MANY"],
    },
    {
      id: "listApiKeys",
      method: "get",
      route: KEYS,
      summary: "List API keys",
      says: "Those that are not revoked, the oldest first.",
      caller: "wallet",
      answers: [
        {
          status: 200,
          says: "The keys, without what is secret of them.",
          schema: z.strictObject({ apiKeys: z.array(apiKey) }),
          example: { apiKeys: [EXAMPLE_API_KEY] },
        },
      ],
      refuses: [],
    },
    {
      id: "revokeApiKey",
      method: "delete",
      route: `${KEYS}/:id`,
      summary: "Revoke an API key",
      says: "It is good for nothing from now on. Subscriptions made with it stay.",
      caller: "wallet",
      path: keyPath,
      answers: [{ status: 204, says: "It is revoked." }],
      refuses: ["NOT_FOUND"],
    },
  ],
};

/** The operator's approvals of platforms. Source: decision E9. */
export const platformOperations: AwarenessGroup = {
  name: "Platforms",
  says: "The operator's own eNames (DS_AWARENESS_ADMINS) decide which consumers are platforms. A platform also receives events of records under a legacy array.",
  schemas: { Platform: platform },
  operations: [
    {
      id: "listPlatforms",
      method: "get",
      route: PLATFORMS,
      summary: "List platforms",
      says: "Every eName that counts as a platform.",
      caller: "admin",
      answers: [
        {
          status: 200,
          says: "The platforms.",
          schema: z.strictObject({ platforms: z.array(platform) }),
          example: { platforms: [EXAMPLE_PLATFORM] },
        },
      ],
      refuses: [],
    },
    {
      id: "approvePlatform",
      method: "put",
      route: `${PLATFORMS}/:ename`,
      summary: "Let an eName count as a platform",
      says: "Under the name that its writes carry, so that it does not receive its own changes.",
      caller: "admin",
      path: platformPath,
      body: { schema: platformApproval, required: false, example: { platform: EXAMPLE_PLATFORM.platform } },
      answers: [{ status: 200, says: "The platform as it is now.", schema: platform, example: EXAMPLE_PLATFORM }],
      refuses: [],
    },
    {
      id: "withdrawPlatform",
      method: "delete",
      route: `${PLATFORMS}/:ename`,
      summary: "Let an eName no longer count as a platform",
      says: "Its subscriptions stay, and hear what its eName may read.",
      caller: "admin",
      path: platformPath,
      answers: [{ status: 204, says: "It is not a platform, whether or not it was one." }],
      refuses: [],
    },
  ],
};
