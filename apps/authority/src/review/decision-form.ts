import { checkbox, field, select } from "@dataspace/ui/field";
import { notice } from "@dataspace/ui/state-mark";
import { html } from "hono/html";
import type { ReleaseSubmission } from "@dataspace/platform-auth/release-submission";
import type { Html } from "@dataspace/ui/html";
import { DEFAULT_DAYS, type DecisionInput, LEVELS, MOST_DAYS, readDecision } from "../decisions/decision-input.ts";
import { authorityRefusal } from "../errors.ts";
import type { SubmissionStanding } from "../store/submission-lists.ts";
import { type Fault, tokenField } from "./frame.ts";
import type { Visitor } from "./visits.ts";

/** The forms about one submission. `isOpen`: nobody has decided yet; else it may be renewed. */
export interface DecisionForms {
  readonly id: string;
  readonly statement: ReleaseSubmission;
  readonly standing: SubmissionStanding;
  readonly isOpen: boolean;
  readonly form?: URLSearchParams;
  readonly fault?: Fault;
}

/** The longest reason, in characters. */
export const LONGEST_REASON = 1_000;
const WORDS = {
  grant: "Grant",
  renew: "Renew",
  grantText: "The authority issues a certificate when your wallet has signed.",
  level: "Level",
  chooseLevel: "Choose a level",
  levelHint: "How much this authority confirms about the release. Owners may require a level.",
  domains: "Domains",
  noDomains: "The release asks for none.",
  days: "Valid for, in days",
  daysHint: `1 to ${MOST_DAYS}. It can be renewed from 30 days before its end.`,
  note: "Note",
  noteHint: "Optional. It is public with the decision.",
  confirm: "I have verified who the author is; later releases of this platform come from this author.",
  confirmFault: "Confirm that you verified the author: the platform has no certified release yet.",
  sign: "Continue to sign",
  deny: "Deny",
  denyText: "The release gets no certificate. The author may submit another one.",
  reason: "Reason",
  reasonHint: "The author reads it. It is public with the decision.",
  levelFault: "Choose a level.",
  daysFault: `Write a whole number from 1 to ${MOST_DAYS}.`,
  noteFault: `Write a note of up to ${LONGEST_REASON} characters, without NUL.`,
  reasonFault: `Write a reason of 1 to ${LONGEST_REASON} characters, without NUL.`,
  nothingDone: "Nothing is decided: see what is marked below.",
} as const;
const LEVEL_WORDS: Readonly<Record<string, string>> = { L0: "L0, the lowest", L5: "L5, the highest" };
const FIELDS: ReadonlySet<string> = new Set(["level", "validDays", "note", "reason", "confirm"]);

/** Shows the forms that grant and deny a submission. Refuses: never. Source: decisions A1, A6. */
export function decisionForms(visitor: Visitor, forms: DecisionForms): Html {
  const { standing, isOpen } = forms;
  const mayGrant = standing.author !== "foreign" && !(isOpen && standing.isVersionTaken);
  return html`<div class="columns">${mayGrant && grantForm(visitor, forms)}${isOpen && denyForm(visitor, forms)}</div>`;
}

/** Shows why a sent form was refused: at its field, or here. Refuses: never. */
export function formNotice({ field: at = "", message }: Fault): Html {
  return notice("bad", html`<p>${FIELDS.has(at) ? WORDS.nothingDone : message}</p>`);
}

function grantForm(visitor: Visitor, { id, statement, standing, isOpen, form, fault }: DecisionForms): Html {
  const title = isOpen ? WORDS.grant : WORDS.renew;
  return html`<section class="card" aria-labelledby="grant"><div><h2 id="grant">${title}</h2><p class="muted">${WORDS.grantText}</p></div>
<form method="post" action="/review/submissions/${id}/decision">${tokenField(visitor)}<input type="hidden" name="decision" value="granted">
${select({
  name: "level",
  label: WORDS.level,
  value: form?.get("level") ?? "",
  hint: WORDS.levelHint,
  fault: faultOf(fault, "level"),
  options: [
    { value: "", text: WORDS.chooseLevel },
    ...LEVELS.map((value) => ({ value, text: LEVEL_WORDS[value] ?? value })),
  ],
})}
<fieldset><legend>${WORDS.domains}</legend>${
    statement.domains.length === 0
      ? html`<p class="muted">${WORDS.noDomains}</p>`
      : statement.domains.map((domain) =>
          checkbox(domainField(domain), domain, form === undefined || form.has(domainField(domain))),
        )
  }</fieldset>
${field({
  name: "validDays",
  label: WORDS.days,
  type: "number",
  value: form?.get("validDays") ?? String(DEFAULT_DAYS),
  hint: WORDS.daysHint,
  fault: faultOf(fault, "validDays"),
})}
${field({
  name: "note",
  label: WORDS.note,
  isLong: true,
  maxLength: LONGEST_REASON,
  value: form?.get("note") ?? "",
  hint: WORDS.noteHint,
  fault: faultOf(fault, "note"),
})}
${
  standing.author === "first" &&
  html`<div>${checkbox("confirm", WORDS.confirm, form?.has("confirm") ?? false)}${
    fault?.field === "confirm" && html`<p class="fault" id="confirm-fault">${fault.message}</p>`
  }</div>`
}
<button>${WORDS.sign}</button></form></section>`;
}

function denyForm(visitor: Visitor, { id, form, fault }: DecisionForms): Html {
  return html`<section class="card" aria-labelledby="deny"><div><h2 id="deny">${WORDS.deny}</h2><p class="muted">${WORDS.denyText}</p></div>
<form method="post" action="/review/submissions/${id}/decision">${tokenField(visitor)}<input type="hidden" name="decision" value="denied">
${field({
  name: "reason",
  label: WORDS.reason,
  isLong: true,
  isRequired: true,
  maxLength: LONGEST_REASON,
  value: form?.get("reason") ?? "",
  hint: WORDS.reasonHint,
  fault: faultOf(fault, "reason"),
})}
<button class="danger">${WORDS.sign}</button></form></section>`;
}

function faultOf(fault: Fault | undefined, name: string): string | undefined {
  return fault?.field === name ? fault.message : undefined;
}

function domainField(domain: string): string {
  return `domain:${domain}`;
}

/**
 * Reads a sent form. Domains are looked for by the names that the submission asks for, so that no other one can be granted.
 *
 * Refuses: BAD_REQUEST, naming the field; also for a first author who is not confirmed. Source: decision A1.
 */
export function readDecisionForm(
  form: URLSearchParams,
  { statement, standing }: Pick<DecisionForms, "statement" | "standing">,
): DecisionInput {
  const textOf = (name: string): string => (form.get(name) ?? "").trim();
  if (form.get("decision") === "denied")
    return readDecision({ decision: "denied", reason: readReason(textOf("reason")) });
  const [level, note, days] = [textOf("level"), textOf("note"), textOf("validDays")];
  if (level === "") throw authorityRefusal("BAD_REQUEST", WORDS.levelFault, "level");
  if (!/^\d{1,4}$/.test(days) || Number(days) < 1 || Number(days) > MOST_DAYS)
    throw authorityRefusal("BAD_REQUEST", WORDS.daysFault, "validDays");
  if (note.length > LONGEST_REASON || note.includes("\0"))
    throw authorityRefusal("BAD_REQUEST", WORDS.noteFault, "note");
  if (standing.author === "first" && !form.has("confirm"))
    throw authorityRefusal("BAD_REQUEST", WORDS.confirmFault, "confirm");
  return readDecision({
    decision: "granted",
    level,
    domains: statement.domains.filter((domain) => form.has(domainField(domain))),
    validDays: Number(days),
    ...(note === "" ? {} : { reason: note }),
  });
}

/** Reads why a reviewer decides so. Refuses: BAD_REQUEST at the field `reason`. */
export function readReason(reason: string): string {
  if (reason !== "" && reason.length <= LONGEST_REASON && !reason.includes("\0")) return reason;
  throw authorityRefusal("BAD_REQUEST", WORDS.reasonFault, "reason");
}
