import { canonical } from "./canonical-json.ts";
import type { EName } from "./ename.ts";
import { type OwnerPolicyStatement, parseOwnerPolicy } from "./owner-policy.ts";
import { ProtocolError } from "./protocol-error.ts";
import { readMembers } from "./read-members.ts";
import { signedPayload } from "./signed-payload.ts";

/** An owner's access policy as stored in the vault: the statement, the signed text, and the signer. */
export interface SignedOwnerPolicy {
  readonly statement: OwnerPolicyStatement;
  readonly payload: string;
  readonly signature: string;
  readonly signer: EName;
}

const MEMBERS = ["statement", "payload", "signature", "signer"];
const MAX_CHARACTERS = 8_192;

/**
 * Reads an owner's signed access policy: its members, its statement, and that its text is that of this statement by its
 * own subject. The caller verifies the signature over that text.
 *
 * Refuses: INVALID_ACCESS_POLICY with the member. Source: S3 "Canonical payloads"; decisions A1, A2.
 */
export async function parseSignedOwnerPolicy(value: unknown): Promise<SignedOwnerPolicy> {
  const read = readMembers(value, { code: "INVALID_ACCESS_POLICY", what: "signed access policy", members: MEMBERS });
  const given = read.judged("statement", isAny, "must be a statement");
  const statement = parseOwnerPolicy(given);
  const [payload, signature, signer] = [read.text("payload"), read.text("signature"), read.ename("signer")];
  if (signer !== statement.subject) throw invalid("signer", "must be the statement's subject");
  const text = canonical(given);
  if (text.length > MAX_CHARACTERS) throw invalid("statement", `must have at most ${MAX_CHARACTERS} characters`);
  // Over the statement as it was sent: an eName in another spelling gives another text.
  if (payload !== (await signedPayload("accessPolicy", text))) throw invalid("payload", "is not this statement's");
  return { statement, payload, signature, signer };
}

function isAny(value: unknown): value is unknown {
  return value !== undefined;
}

function invalid(member: string, why: string): ProtocolError {
  return new ProtocolError("INVALID_ACCESS_POLICY", `This is not a signed access policy: ${member} ${why}.`, member);
}
