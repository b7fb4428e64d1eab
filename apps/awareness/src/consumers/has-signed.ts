import { createPublicKey, verify } from "node:crypto";
import { UpstreamError } from "@dataspace/clients/upstream-error";
import { pointToSpki } from "@dataspace/protocol/public-key";
import { verifySignature } from "@dataspace/protocol/signature";
import type { FindCertifiedKeys } from "@dataspace/clients/certified-keys";
import type { EName } from "@dataspace/protocol/ename";
import type { Log } from "@dataspace/service-kit/log";
import { awarenessRefusal } from "../errors.ts";

/** Tells whether a key that is certified for an eName now signed a text. Refuses: REGISTRY_UNAVAILABLE. */
export type HasSigned = (ename: EName, text: string, signature: string) => Promise<boolean>;

/** Makes that question; keys are asked for anew each time. Source: S2 "Authentication"; decision I9. */
export function createHasSigned(deps: { readonly findCertifiedKeys: FindCertifiedKeys; readonly log: Log }): HasSigned {
  return async (ename, text, signature) => {
    const data = Buffer.from(text);
    for (const point of await listPoints(deps, ename)) {
      if ((await verifySignature(isSignedBy, { key: point, data, signature })) !== undefined) return true;
    }
    return false;
  };
}

async function listPoints(
  deps: { readonly findCertifiedKeys: FindCertifiedKeys; readonly log: Log },
  ename: EName,
): Promise<readonly Uint8Array[]> {
  try {
    return (await deps.findCertifiedKeys(ename, { fresh: true })).map(({ point }) => point);
  } catch (error) {
    if (error instanceof UpstreamError && error.refusal?.status === 404) return [];
    deps.log.warn({ err: error, ename }, "the certified keys of an eName cannot be had");
    throw awarenessRefusal("REGISTRY_UNAVAILABLE", "The registry or the eName's vault does not answer; try again.");
  }
}

function isSignedBy(point: Uint8Array, data: Uint8Array, raw64: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.from(pointToSpki(point)), format: "der", type: "spki" });
  return verify("sha256", data, { key, dsaEncoding: "ieee-p1363" }, raw64);
}
