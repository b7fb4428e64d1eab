import { createRegistryClient } from "@dataspace/clients/registry-client";
import { fetchJson, fetchText } from "@dataspace/clients/timed-fetch";
import { UpstreamError } from "@dataspace/clients/upstream-error";
import { signChallenge } from "@dataspace/platform-auth/signing/sign-challenge";
import { SigningError } from "@dataspace/platform-auth/signing/signing-error";
import { parseCompactJws } from "@dataspace/protocol/compact-jws";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { importNodeCryptoKey } from "@dataspace/wallet/node-crypto-key";
import { signText } from "@dataspace/wallet/sign-text";
import type { Evidence, HandshakeAnswer } from "@dataspace/platform-auth/evidence";
import type { EName } from "@dataspace/protocol/ename";
import { askParty } from "./ask-party.ts";
import type { DeploymentDeps } from "./deployment-deps.ts";
import { DeploymentError } from "./deployment-error.ts";
import { readHandshakeAnswer } from "./read-handshake-answer.ts";

const MAX_STAPLE_CHARACTERS = 65_536;
/** A verifier may take 12 s for the questions that it asks. */
const VERIFY_MS = 20_000;

/**
 * Proves the deployment to an owner's vault. The evidence carries the authority's newest status list, so that the vault need not ask.
 *
 * In: `vaultUrl`, where the registry is not to be asked. Out: the vault's answer with all six links; its session is stored.
 * Refuses: STEP_MISSING, UNKNOWN_ENAME, VAULT_REFUSED (also for a challenge that must not be signed), UNAVAILABLE. A link that
 * does not hold is an answer. Source: S3 "Endpoints"; decision A1.
 */
export async function performHandshake(
  deps: DeploymentDeps,
  { owner, vaultUrl }: { readonly owner: EName; readonly vaultUrl?: string | undefined },
): Promise<HandshakeAnswer> {
  const settings = await deps.state.get("settings");
  const evidence = await deps.state.get("evidence");
  const key = importNodeCryptoKey(await deps.state.get("key"));
  const base = vaultUrl ?? (await findVault(deps, settings.registryUrl, owner));
  const post = (path: string, body: object): Promise<unknown> =>
    askParty({ party: `The vault of ${owner}`, refused: "VAULT_REFUSED" }, () =>
      fetchJson(deps.fetch, {
        url: `${base}${path}`,
        method: "POST",
        headers: { "x-ename": owner },
        body,
        timeoutMs: VERIFY_MS,
      }),
    );
  const challenge = await post("/pp-auth/challenge", {});
  const signature = await sign(challenge, { audience: owner, nowMs: deps.clock.nowMs() }, (text) =>
    signText(key, text),
  );
  const stapled = { ...evidence, ...(await fetchStatus(deps, evidence, settings.authorityUrl)) };
  const answer = readHandshakeAnswer(await post("/pp-auth/verify", { challenge, evidence: stapled, signature }));
  if (answer.session !== undefined) {
    const { access_token: accessToken, token_type: tokenType, expires_in: seconds } = answer.session;
    const expiresAt = new Date(deps.clock.nowMs() + seconds * 1_000).toISOString();
    await deps.state.putSession(owner, { accessToken, tokenType, expiresAt });
  }
  return answer;
}

async function findVault({ fetch }: DeploymentDeps, registryUrl: string, owner: EName): Promise<string> {
  const address = await askParty({ party: "The registry", refused: "UNKNOWN_ENAME" }, () =>
    createRegistryClient({ fetch }, { registryUrl }).resolve(owner),
  );
  if (address !== undefined) return address.uri;
  throw new DeploymentError("UNKNOWN_ENAME", `The registry knows no vault of ${owner}; check the eName.`);
}

async function sign(...[challenge, dialled, signer]: Parameters<typeof signChallenge>): Promise<string> {
  try {
    return await signChallenge(challenge, dialled, signer);
  } catch (error) {
    if (!(error instanceof SigningError || error instanceof ProtocolError)) throw error;
    throw new DeploymentError("VAULT_REFUSED", error.message, { cause: error });
  }
}

// Without a list the vault asks for it itself.
async function fetchStatus(
  { fetch }: DeploymentDeps,
  { accreditationJws }: Evidence,
  authorityUrl: string,
): Promise<Pick<Evidence, "statusToken">> {
  const status = parseCompactJws(accreditationJws, MAX_STAPLE_CHARACTERS).payload["status"];
  const { status_list: list } = (status ?? {}) as { readonly status_list?: { readonly uri?: unknown } };
  const uri = list?.uri;
  if (typeof uri !== "string" || !uri.startsWith(`${authorityUrl}/`)) return {};
  try {
    return { statusToken: await fetchText(fetch, { url: uri, maxBytes: MAX_STAPLE_CHARACTERS }) };
  } catch (error) {
    if (error instanceof UpstreamError) return {};
    throw error;
  }
}
