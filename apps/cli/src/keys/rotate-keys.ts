import { splitKeySet } from "@dataspace/service-kit/signing-jwk";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { isKeySetting, makeKey } from "./make-key.ts";

/** The steps of a rotation, in order; `replace` is for a stolen key. */
export const ROTATION_STEPS = ["publish", "sign", "finish", "replace"] as const;

/** One step of a rotation. */
export type RotationStep = (typeof ROTATION_STEPS)[number];

/** What to do after each step. */
export const AFTER_STEP: Readonly<Record<RotationStep, string>> = {
  publish: "Restart every instance, wait 10 minutes (verifiers cache keys for 5), then run the step sign.",
  sign: "Restart every instance, wait an hour (the life of what the old key signed last), then run the step finish.",
  finish: "Restart every instance. Registry and authority publish the old public key for a year.",
  replace: "Restart every instance now, then withdraw the stolen key: dataspace keys withdraw <kid> --of <service>",
};

/**
 * Gives the next text of a setting with signing keys, so that a verifier knows each key before it signs.
 *
 * In: the present text, a JWK or a JWK set. Out: `publish` adds a new key at the end, `sign` moves the last to the
 * front, `finish` leaves only the first, `replace` leaves only a new one.
 * Refuses: StartupError 78 for a setting without signing keys, and for a step out of order. Source: reliability 5.6.
 */
export function rotateKeys(setting: string, text: string, step: RotationStep): string {
  if (!isKeySetting(setting)) throw new StartupError(`${setting} holds no signing key.`);
  const keys = splitKeySet(text);
  if (step === "replace") return makeKey(setting);
  const isSingle = keys.length === 1;
  if (isSingle !== (step === "publish")) {
    const state = isSingle ? "one key: run the step publish first" : `${keys.length} keys: a rotation has begun`;
    throw new StartupError(`${setting} holds ${state}.`);
  }
  switch (step) {
    case "publish":
      return toKeySet([...keys, makeKey(setting)]);
    case "sign":
      return toKeySet([...keys.slice(-1), ...keys.slice(0, -1)]);
    case "finish":
      return toKeySet(keys.slice(0, 1));
  }
}

function toKeySet(keys: readonly string[]): string {
  return `{"keys":[${keys.join(",")}]}`;
}
