import { createRegistryClient } from "@dataspace/clients/registry-client";
import { fetchJson } from "@dataspace/clients/timed-fetch";
import { parseCompactJws } from "@dataspace/protocol/compact-jws";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { decodePublicKey, pointToSpki } from "@dataspace/protocol/public-key";
import { verifySignature } from "@dataspace/protocol/signature";
import type { EName } from "@dataspace/protocol/ename";
import { askParty } from "./ask-party.ts";
import type { DeploymentDeps } from "./deployment-deps.ts";
import { DeploymentError } from "./deployment-error.ts";

/** A person's signature over a text. */
export interface PersonSignature {
  readonly signer: EName;
  readonly text: string;
  readonly signature: string;
}

/** The key that made a signature, and the registry's certificate that it is the signer's. */
export interface SigningCertificate {
  readonly publicKey: string;
  readonly keyBindingCertificate: string;
}

const MAX_ANSWER_BYTES = 1_048_576;
const MOST_CERTIFICATES = 64;

/**
 * Finds the certificate of the key that made a signature, among those that the signer's vault lists.
 *
 * Out: the certificate as it came; the authority and the vaults verify it. Refuses: UNKNOWN_ENAME, SIGNATURE_REFUSED, UNAVAILABLE.
 * Source: S1 "GET /whois"; decision A1.
 */
export async function findSigningCertificate(
  deps: Pick<DeploymentDeps, "fetch" | "verifyEcdsa">,
  registryUrl: string,
  { signer, text, signature }: PersonSignature,
): Promise<SigningCertificate> {
  const data = new TextEncoder().encode(text);
  for (const keyBindingCertificate of await listCertificates(deps, registryUrl, signer)) {
    const found = readKey(keyBindingCertificate);
    if (found === undefined) continue;
    const signed = { key: pointToSpki(found.point), data, signature };
    if ((await verifySignature(deps.verifyEcdsa, signed)) === undefined) continue;
    return { publicKey: found.publicKey, keyBindingCertificate };
  }
  throw new DeploymentError(
    "SIGNATURE_REFUSED",
    `No key of ${signer} that is certified now made this signature over this text; sign the text again with that person's wallet.`,
  );
}

async function listCertificates(
  { fetch }: Pick<DeploymentDeps, "fetch">,
  registryUrl: string,
  signer: EName,
): Promise<readonly string[]> {
  const party = { party: `The registry or the vault of ${signer}`, refused: "UNKNOWN_ENAME" } as const;
  const answer = await askParty(party, async () => {
    const address = await createRegistryClient({ fetch }, { registryUrl }).resolve(signer);
    if (address === undefined) {
      throw new DeploymentError("UNKNOWN_ENAME", `The registry knows no vault of ${signer}; check the eName.`);
    }
    const headers = { "x-ename": signer };
    return fetchJson(fetch, { url: `${address.uri}/whois`, headers, maxBytes: MAX_ANSWER_BYTES });
  });
  const { keyBindingCertificates: listed } = (answer ?? {}) as { readonly keyBindingCertificates?: unknown };
  if (!Array.isArray(listed)) return [];
  return listed.filter((text) => typeof text === "string").slice(0, MOST_CERTIFICATES);
}

function readKey(certificate: string): { readonly publicKey: string; readonly point: Uint8Array } | undefined {
  try {
    const { publicKey } = parseCompactJws(certificate).payload;
    return typeof publicKey === "string" ? { publicKey, point: decodePublicKey(publicKey).point } : undefined;
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}
