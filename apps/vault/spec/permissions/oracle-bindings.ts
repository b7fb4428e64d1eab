import type { Of, Request } from "./act.ts";
import { decide, mayCreate } from "./oracle-decision.ts";
import { absent } from "./oracle-writes.ts";
import { fault, type Ruling, rule } from "./ruling.ts";
import { anyOf, not, verdictOf } from "./verdict.ts";
import { BINDING, isOwner, type Party, type World } from "./world.ts";

const REFUSALS = ["FORBIDDEN", "INVALID_SIGNER", "INVALID_SIGNATURE", "INVALID_BINDING_DOCUMENT", "UNAUTHENTICATED"];

/** createBindingDocument. Source: decision V14; decision V14. */
export function ruleBind({ party, caller }: Request, act: Of<"bind">): Ruling {
  if (caller.kind === "anonymous") return rule([fault(true, "UNAUTHENTICATED")]);
  const { signer } = act.input.ownerSignature;
  const parties = partiesOf(act);
  const isSocial = act.input.type === "social_connection";
  const shapeFaults = [
    fault(!act.isGenuine, ...REFUSALS),
    fault(isSocial && (!parties.includes(signer) || !parties.includes(party.ename)), ...REFUSALS),
    fault(returnsRemoved(party, act) && !isOwner(party, caller), "FORBIDDEN"),
  ];
  if (!isOpening(party, act)) {
    const bySomebodyElse = signer !== party.ename || party.keys.length === 0;
    return rule([fault(!mayCreate(party, caller), ...REFUSALS), fault(bySomebodyElse, ...REFUSALS), ...shapeFaults]);
  }
  // The spec names the carriers of an opening neither fully nor for a vault without an owner.
  const carries = caller.ename === signer || (caller.kind === "legacy" && caller.writes);
  return rule([
    fault(carries ? (party.keys.length === 0 ? "unclear" : "no") : "unclear", ...REFUSALS),
    fault(act.input.subject !== party.ename, ...REFUSALS),
    ...shapeFaults,
  ]);
}

/** Is the document a social connection that the other party opens here? Source: decision V14. */
export function isOpening(party: Party, act: Of<"bind">): boolean {
  return act.input.type === "social_connection" && act.input.ownerSignature.signer !== party.ename;
}

/** The parties of a social connection. */
export function partiesOf({ input }: Of<"bind">): readonly string[] {
  return input.type === "social_connection" ? (input.data["parties"] as readonly string[]) : [];
}

/** What tells a document from others: decision V14 has subject, type, data and signature text. */
export function sentText({ input }: Of<"bind">): string {
  return JSON.stringify([input.subject, input.type, input.data, input.ownerSignature.signature]);
}

function returnsRemoved(party: Party, act: Of<"bind">): boolean {
  return [...party.records.values()].some(({ removed, binding }) => removed && binding?.sent === sentText(act));
}

/** createBindingDocumentSignature. Source: decision V14. */
export function ruleSign(world: World, request: Request, act: Of<"sign">): Ruling {
  const { party, caller, server } = request;
  const record = party.records.get(act.id);
  if (record === undefined || record.removed || caller.kind === "anonymous") return absent(request);
  const { binding, ontology } = record;
  if (binding === undefined || ontology !== BINDING) return rule([fault(true, "NOT_FOUND")]);
  const { signer } = act.signature;
  const isSocial = binding.type === "social_connection";
  const isParty = verdictOf(isSocial && caller.ename !== null && binding.parties.includes(caller.ename));
  const reaches = anyOf([decide(world, { party, caller, record }, "READ"), isParty]);
  const asAnother = caller.kind === "person" && signer !== caller.ename;
  return rule([
    fault(not(reaches), "NOT_FOUND"),
    fault(caller.kind === "legacy" && !caller.writes, "FORBIDDEN", "NOT_FOUND"),
    fault(asAnother ? (server === "header" ? "unclear" : "yes") : "no", ...REFUSALS),
    fault(isSocial && !binding.parties.includes(signer), ...REFUSALS),
    fault(binding.signers.includes(signer), "ALREADY_SIGNED"),
    fault(!act.isGenuine, ...REFUSALS),
  ]);
}
