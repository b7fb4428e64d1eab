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

/** A step that leaves a rotation open. The key set records it, so that the steps keep their order. */
type OpenStep = "publish" | "sign";

/** The step that must have come before. */
const BEFORE: Readonly<Record<Exclude<RotationStep, "replace">, OpenStep | undefined>> = {
  publish: undefined,
  sign: "publish",
  finish: "sign",
};

/**
 * Gives the next text of a setting with signing keys, so that a verifier knows each key before it signs.
 *
 * In: the present text, a JWK or a JWK set. Out: `publish` adds a new key at the end, `sign` moves the last to the
 * front, `finish` leaves only the first, `replace` leaves only a new one. A set names its last step in `rotation`, which
 * services ignore (RFC 7517 section 5).
 * Refuses: StartupError 78 for a setting without signing keys, and for a step out of order. Source: reliability 5.6.
 */
export function rotateKeys(setting: string, text: string, step: RotationStep): string {
  if (!isKeySetting(setting)) throw new StartupError(`${setting} holds no signing key.`);
  if (step === "replace") return makeKey(setting);
  const keys = splitKeySet(text);
  const last = findLastStep(text, keys.length);
  if (last !== BEFORE[step]) {
    const state =
      last === undefined
        ? "No rotation has begun: run the step publish"
        : `The last step was ${last}: run the step ${last === "publish" ? "sign" : "finish"}`;
    throw new StartupError(`${setting}: the step ${step} is out of order. ${state}.`);
  }
  switch (step) {
    case "publish":
      return toKeySet([...keys, makeKey(setting)], step);
    case "sign":
      return toKeySet([...keys.slice(-1), ...keys.slice(0, -1)], step);
    case "finish":
      return keys[0] ?? "";
  }
}

/** A set that does not name its last step was made by hand: its keys are published, and the first one signs. */
function findLastStep(text: string, count: number): OpenStep | undefined {
  if (count < 2) return undefined;
  const { rotation } = JSON.parse(text) as { readonly rotation?: unknown };
  return rotation === "sign" ? "sign" : "publish";
}

function toKeySet(keys: readonly string[], step: OpenStep): string {
  return `{"rotation":"${step}","keys":[${keys.join(",")}]}`;
}
