import { hash } from "node:crypto";
import type { EcdsaVerify } from "@dataspace/protocol/signature";
import type { Clock } from "@dataspace/service-kit/clock";
import type { HandshakeClaim } from "../platform-claim.ts";
import type { StatusPlace } from "../reading/status-place.ts";
import type { StatusOf } from "../trust/status-of.ts";
import { createVerifyDpopProof } from "./dpop-proof.ts";
import { createReplayCache } from "./replay-cache.ts";
import type { Session, SessionStore } from "./session-store.ts";

/** A session's credential as a request shows it. */
export interface SessionCredential {
  readonly scheme: "Bearer" | "DPoP";
  readonly token: string;
  /** The header DPoP, and what it must be about: the method, and the address without its query. */
  readonly proof: string | undefined;
  readonly method: string;
  readonly url: string;
  /** Whether the same request showed it before: then its proof is not a second use, and may have become old meanwhile. */
  readonly again: boolean;
}

/** A session that holds, and by what its proof is known: at every process of a service, one write counts it. */
export interface ProvenSession {
  readonly claim: HandshakeClaim;
  readonly status: StatusPlace | null;
  readonly proofUse: { readonly id: string; readonly expiresAt: string } | undefined;
}

/** Verifies a session's credential at an audience. Refuses: as `refuse` makes it; the database's errors. */
export type VerifySession = (audience: string, credential: SessionCredential) => Promise<ProvenSession>;

/** What the check needs. `refuse` makes the service's refusal of a credential. */
export interface VerifySessionDeps {
  readonly clock: Clock;
  readonly sessions: Pick<SessionStore, "find">;
  /** Finds whether a session's certificate was revoked meanwhile. */
  readonly statusOf: StatusOf;
  /** Takes a key as SPKI. */
  readonly verifyEcdsa: EcdsaVerify<Uint8Array>;
  readonly refuse: (message: string) => Error;
}

const REPLAYS = { rememberMs: 121_000, most: 200_000, mostPerHolder: 50_000 };
const PROOF_SECONDS = 120;

/**
 * Makes the check of sessions. A bound session needs a DPoP proof by its key, which counts once; an unbound one is taken as
 * Bearer, unless `requireBinding`. A session ends when its certificate is revoked: within the 300 s for which a status list
 * is cached.
 *
 * Source: RFC 9449 section 7.1; decision A1.
 */
export function createVerifySession(
  deps: VerifySessionDeps,
  { requireBinding }: { readonly requireBinding: boolean },
): VerifySession {
  const replays = createReplayCache(deps.clock, REPLAYS);
  const verifyDpopProof = createVerifyDpopProof(deps.verifyEcdsa);
  async function useProof(session: Session, credential: SessionCredential): Promise<ProvenSession["proofUse"]> {
    const { keyThumbprint } = session;
    const { token, proof: text, method, url, again } = credential;
    if (keyThumbprint === null || text === undefined) {
      throw deps.refuse("This session is bound to a key: send it as DPoP, with a proof in the header DPoP.");
    }
    const tokenHash = hash("sha256", token, "base64url");
    const nowSeconds = again ? undefined : deps.clock.nowMs() / 1000;
    const expected = { keyThumbprint, tokenHash, method, url, nowSeconds };
    const proof = await verifyDpopProof(text, expected);
    if (proof === undefined) {
      throw deps.refuse("The DPoP proof is not of the session's key for this request now; make one for each request.");
    }
    if (!again && !replays.take(session.claim.platform, `${keyThumbprint} ${proof.jti}`)) {
      throw deps.refuse("The DPoP proof was used before; make one for each request.");
    }
    const expiresAt = new Date((proof.issuedAtSeconds + PROOF_SECONDS) * 1000).toISOString();
    return { id: `dpop ${keyThumbprint} ${proof.jti}`, expiresAt };
  }
  return async (audience, credential) => {
    const session = await deps.sessions.find(credential.token);
    if (session === undefined || session.audience !== audience) {
      throw deps.refuse("The session is not known here, or has ended. Perform the handshake again.");
    }
    const isBound = session.keyThumbprint !== null;
    if (isBound !== (credential.scheme === "DPoP") || (!isBound && requireBinding)) {
      throw deps.refuse(
        isBound
          ? "This session is bound to a key: send it as DPoP, with a proof in the header DPoP."
          : "This session is not bound to a key; perform the handshake again for one that is.",
      );
    }
    // The handshake checked the status minutes ago, so that only a known revocation counts here.
    if (session.status !== null && (await isRevoked(deps, session.claim.issuer, session.status))) {
      throw deps.refuse("The certificate of this session was revoked.");
    }
    return {
      claim: session.claim,
      status: session.status,
      proofUse: isBound ? await useProof(session, credential) : undefined,
    };
  };
}

async function isRevoked({ statusOf }: VerifySessionDeps, issuer: string, place: StatusPlace): Promise<boolean> {
  return (await statusOf({ issuer, ...place, stapled: undefined })) === "revoked";
}
