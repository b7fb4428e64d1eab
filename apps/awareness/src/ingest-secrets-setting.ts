import { baseUrlSetting, secretSetting } from "@dataspace/service-kit/settings/setting-types";
import { z } from "zod";
import type { Secret } from "@dataspace/service-kit/secret";

/**
 * Reads DS_INGEST_SECRETS: a JSON object whose keys are the origins of vault services and whose values are their
 * secrets.
 *
 * Out: the secrets by origin. A secret is never repeated in a message.
 * Refuses: any other value, an empty object, a key that is not an origin, and a secret that is too short or occurs
 * twice.
 * Source: decision E5.
 */
export function ingestSecretsSetting(limits: {
  readonly minLength: number;
}): z.ZodType<ReadonlyMap<string, Secret>, string> {
  const secret = secretSetting(limits);
  const origin = baseUrlSetting();
  return z.string().transform((text, context) => {
    const fail = (message: string): void => context.addIssue({ code: "custom", message });
    const entries = readObject(text);
    if (entries === undefined || entries.length === 0) {
      fail('must be a JSON object such as {"https://vault.example": "<secret>"}');
      return z.NEVER;
    }
    const secrets = new Map<string, Secret>();
    const texts = new Set<unknown>();
    for (const [key, value] of entries) {
      const [vault, given] = [origin.safeParse(key), secret.safeParse(value)];
      if (!vault.success) fail(`has a key that is not the origin of a vault service: ${JSON.stringify(key)}`);
      else if (!given.success) fail(`the secret of ${vault.data} ${given.error.issues[0]?.message}`);
      else if (secrets.has(vault.data)) fail(`names ${vault.data} twice`);
      else if (texts.has(value)) fail(`gives ${vault.data} the secret of another vault service`);
      else secrets.set(vault.data, given.data);
      texts.add(value);
    }
    return secrets;
  });
}

function readObject(text: string): readonly (readonly [string, unknown])[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
  } catch {
    return undefined;
  }
}
