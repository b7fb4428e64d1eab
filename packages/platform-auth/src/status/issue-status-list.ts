import { type JwsSigner, writeCompactJws } from "@dataspace/protocol/write-compact-jws";
import { encodeStatusList, STATUS_LIST_TYP, type StatusListClaims } from "./status-list.ts";

/** The status of every certificate of one list. `uri` is the list's address, as its certificates name it. */
export interface StatusListInput {
  readonly issuer: string;
  readonly uri: string;
  readonly revoked: Iterable<number>;
  /** How many certificates the list has room for. */
  readonly size: number;
  readonly issuedAtSeconds: number;
}

const TTL_SECONDS = 300;
/** Verifiers refuse an older list. */
const LIFETIME_SECONDS = 86_400;

/**
 * Issues a status list token.
 *
 * Refuses: RangeError for an index outside the list; as the signer.
 * Source: draft-ietf-oauth-status-list section 5; decision A1.
 */
export function issueStatusList(signer: JwsSigner, input: StatusListInput): Promise<string> {
  const claims: StatusListClaims = {
    iss: input.issuer,
    sub: input.uri,
    iat: input.issuedAtSeconds,
    exp: input.issuedAtSeconds + LIFETIME_SECONDS,
    ttl: TTL_SECONDS,
    status_list: encodeStatusList(input.revoked, input.size),
  };
  return writeCompactJws(signer, STATUS_LIST_TYP, claims);
}
