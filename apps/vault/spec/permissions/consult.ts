import type { JsonValue } from "@dataspace/protocol/meta-envelope";
import type { Answered, Outcome } from "../model/answers.ts";
import type { Input, Of, Request } from "./act.ts";
import { append, applyCreate, applyRemove, applyRollback, applyUpdate } from "./oracle-apply.ts";
import { isOpening, partiesOf, ruleBind, ruleSign, sentText } from "./oracle-bindings.ts";
import { decide, mayCreate } from "./oracle-decision.ts";
import { ruleCreate, ruleRemove, ruleRollback, ruleStore, ruleUpdate, ruleUpdateValue } from "./oracle-writes.ts";
import { fault, type Ruling, rule } from "./ruling.ts";
import { FILENAME } from "./send.ts";
import { BINDING, FILE, isOwner, type Payload, type StoredBinding, type StoredRecord, type World } from "./world.ts";

/** Looks into the database where the spec leaves open whether a new record is quarantined. */
export type PeekQuarantine = (owner: string, id: string) => Promise<boolean>;

/** Holds the answer to a write against the oracle and notes what was written. Out: what is wrong with it, if anything. */
export async function checkWrite(
  world: World,
  request: Request,
  { outcome, peek }: { readonly outcome: Outcome; readonly peek: PeekQuarantine },
): Promise<string | undefined> {
  const { act } = request;
  if (act.do === "bulk") return checkBulk(world, request, outcome);
  const ruling = ruleOf(world, request);
  const { data } = outcome;
  const code: string | undefined = outcome.code ?? data?.errors?.[0]?.code;
  if (code !== undefined) {
    if (ruling.may === "yes") return `refused with ${code} what is allowed`;
    return ruling.codes.includes(code) ? undefined : `refused with ${code}, not with ${ruling.codes.join(" or ")}`;
  }
  if (ruling.may === "no") return `allowed, though it is ${ruling.codes.join(" or ")}`;
  await apply(world, request, { data, peek });
  return checkShown(world, request, data);
}

function ruleOf(world: World, request: Request): Ruling {
  const { act } = request;
  switch (act.do) {
    case "create":
      return ruleCreate(request, act.input);
    case "upload":
      return ruleCreate(request, uploaded(act));
    case "store":
      return ruleStore(request, act);
    case "update":
    case "updateById":
      return ruleUpdate(world, request, act);
    case "updateValue":
      return ruleUpdateValue(world, request, act);
    case "remove":
    case "deleteById":
      return ruleRemove(world, request, act);
    case "rollback":
      return ruleRollback(world, request, act);
    case "bind":
      return ruleBind(request, act);
    case "sign":
      return ruleSign(world, request, act);
    default:
      return ruleKey(request, act as Of<"addKey" | "removeKey">);
  }
}

/** The oracle knows one field of a file's payload, which is enough to tell that there is one. */
const uploaded = ({ input }: Of<"upload">): Input => ({ ...input, ontology: FILE, payload: { filename: FILENAME } });

/** PATCH and DELETE /public-key. Source: decision I6. */
function ruleKey({ party, caller }: Request, act: Of<"addKey" | "removeKey">): Ruling {
  if (act.asService)
    return rule([fault(act.do === "removeKey" || party.keys.length > 0, "INVALID_TOKEN", "UNAUTHENTICATED")]);
  const codes = ["INVALID_TOKEN", "UNAUTHENTICATED"];
  // In header mode too, a wallet's token proves the owner, and X-ENAME alone does not.
  if (!isOwner(party, caller) || !caller.bearer) return rule([fault(true, ...codes)]);
  const isLast = act.do === "removeKey" && party.keys.length === 1 && party.keys.includes(act.key);
  return rule([fault(isLast, "LAST_KEY"), fault(act.do === "removeKey" && !party.keys.includes(act.key), "NOT_FOUND")]);
}

async function apply(
  world: World,
  request: Request,
  { data, peek }: { readonly data: Answered; readonly peek: PeekQuarantine },
): Promise<void> {
  const { act, party, caller } = request;
  const record = "id" in act ? (party.records.get(act.id as string) as StoredRecord) : undefined;
  const by = (ename: string) => ({ ...request, caller: { ...caller, kind: "person" as const, ename } });
  switch (act.do) {
    case "create":
      return applyCreate(world, request, { id: data.metaEnvelope.id, input: act.input, quarantined: false });
    case "store": {
      const { id } = data.metaEnvelope;
      const quarantined = !mayCreate(party, caller) && (await peek(party.ename, id));
      return applyCreate(world, request, { id, input: act.input, quarantined });
    }
    case "upload": {
      const id = data.metaEnvelopeId;
      return applyCreate(world, request, { id, input: uploaded(act), quarantined: false, content: act.content });
    }
    case "update":
    case "updateById":
      return applyUpdate(world, request, record as StoredRecord, act.input);
    case "updateValue": {
      const input = { ontology: (record as StoredRecord).ontology, payload: { [act.field]: act.newValue } };
      return applyUpdate(world, request, record as StoredRecord, input);
    }
    case "remove":
    case "deleteById":
      return applyRemove(world, request, record as StoredRecord);
    case "rollback":
      return applyRollback(world, request, record as StoredRecord, act.version);
    case "bind": {
      const id = data.metaEnvelopeId;
      const { ownerSignature, ...said } = act.input;
      const payload: Payload = { ...said, signatures: [{ ...ownerSignature }] };
      const input = { ontology: BINDING, payload, acl: [act.input.subject] };
      const quarantined = isOpening(party, act) && (await peek(party.ename, id));
      return applyCreate(world, request, { id, input, quarantined, binding: bindingOf(request, act) });
    }
    case "sign": {
      const held = record as StoredRecord & { readonly binding: StoredBinding };
      held.binding.signers.push(act.signature.signer);
      const signatures = [...(held.payload["signatures"] as JsonValue[]), { ...act.signature }];
      held.payload = { ...held.payload, signatures };
      return append(world, {
        request: by(act.signature.signer),
        record: held,
        operation: "update",
        said: { signatures },
      });
    }
    case "addKey":
      if (!party.keys.includes(act.key)) party.keys.push(act.key);
      return;
    case "removeKey":
      party.keys.splice(party.keys.indexOf(act.key), 1);
  }
}

function bindingOf({ party }: Request, act: Of<"bind">): StoredBinding {
  return {
    type: act.input.type,
    subject: act.input.subject,
    parties: partiesOf(act),
    openedByOther: isOpening(party, act),
    signers: [act.input.ownerSignature.signer],
    sent: sentText(act),
  };
}

/** A write shows the whole record to nobody who may not read it. Source: decisions V13, V22. */
function checkShown(world: World, request: Request, data: Answered): string | undefined {
  const { act, party } = request;
  if (act.do !== "update" && act.do !== "rollback") return undefined;
  const verdict = decide(world, { ...request, record: party.records.get(act.id) as StoredRecord }, "READ");
  if (data.metaEnvelope === null)
    return verdict === "yes" ? "written and not shown, though the caller has READ" : undefined;
  return verdict === "no" ? "written and shown, though the caller has no READ" : undefined;
}

function checkBulk(world: World, request: Request, { data, code }: Outcome): string | undefined {
  const act = request.act as Of<"bulk">;
  if (!request.caller.bearer)
    return code === "UNAUTHENTICATED" || data?.errors?.[0]?.code === "UNAUTHENTICATED"
      ? undefined
      : "allowed without a bearer";
  if (code !== undefined) return `refused with ${code}`;
  for (const [index, input] of act.inputs.entries()) {
    const ruling = ruleCreate(request, input, input.id);
    const { id, success, error } = data.results[index];
    const given = error?.split(":")[0];
    if (success && ruling.may === "no") return `item ${index} allowed, though it is ${ruling.codes.join(" or ")}`;
    if (!success && (ruling.may === "yes" || !ruling.codes.includes(given)))
      return `item ${index} refused with ${given}, not with ${ruling.codes.join(" or ")}`;
    if (success) applyCreate(world, request, { id, input, quarantined: false });
  }
  return undefined;
}
