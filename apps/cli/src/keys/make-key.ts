import { generateKeyPairSync, randomBytes } from "node:crypto";
import { isSecretSetting } from "@dataspace/service-kit/settings/secret-settings";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { OPERATED_SERVICES } from "../operate/operated-services.ts";

const SECRET_BYTES = 32;
/** The only setting with an Ed25519 key; the other keys are ES256. Source: decision E3. */
const ED25519 = "DS_AWARENESS_SIGNING_KEY_JWK";

/** Whether a setting holds signing keys. Refuses: never. */
export function isKeySetting(setting: string): boolean {
  return setting.endsWith("_JWK") && isKnownSecret(setting);
}

/**
 * Makes a random value for a setting: a secret of 32 bytes in base64url, or a private JWK.
 *
 * Refuses: StartupError 78 for a setting that holds neither.
 */
export function makeKey(setting: string): string {
  if (!isKnownSecret(setting)) {
    throw new StartupError(`${setting} holds no key. The settings: ${listSecretSettings().join(", ")}.`);
  }
  if (!setting.endsWith("_JWK")) return randomBytes(SECRET_BYTES).toString("base64url");
  const pair =
    setting === ED25519 ? generateKeyPairSync("ed25519") : generateKeyPairSync("ec", { namedCurve: "P-256" });
  return JSON.stringify(pair.privateKey.export({ format: "jwk" }));
}

function isKnownSecret(setting: string): boolean {
  return listSecretSettings().includes(setting);
}

function listSecretSettings(): readonly string[] {
  const names = OPERATED_SERVICES.flatMap(({ settings }) => Object.keys(settings));
  return [...new Set(names)].filter(isSecretSetting).toSorted();
}
