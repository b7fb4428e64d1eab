import type { JsonValue } from "@dataspace/protocol/meta-envelope";
import type { Input, Search } from "./operation.ts";

const BINDING = "b1d0a8c3-4e5f-6789-0abc-def012345678";
const ENAME = /^@[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Every code with which an input may be refused; empty when nothing is wrong with it. Source: decisions V7, V12, V14, V19. */
export function inputFaults({ ontology, payload, acl, _acl }: Input): readonly string[] {
  const faults: string[] = [...payloadFaults(payload)];
  if (ontology === "" || ontology.length > 256) faults.push("BAD_USER_INPUT");
  if (ontology === BINDING) faults.push("USE_BINDING_DOCUMENT_MUTATION");
  if (acl?.map(readEntry).some((entry) => entry !== "*" && !ENAME.test(entry)) === true) faults.push("INVALID_ACL");
  if (_acl?.grants?.some(({ ename, perms }) => !ENAME.test(ename) || perms < 1 || perms > 15) === true) {
    faults.push("INVALID_ACL");
  }
  return faults;
}

/** A stored entry of an access array: an eName has its `@` and is lower-case. Source: decision I1. */
export function readEntry(entry: string): string {
  const text = entry.trim().toLowerCase();
  return text === "*" || text.startsWith("@") ? text : `@${text}`;
}

/** Every code with which a payload may be refused. */
function payloadFaults(payload: JsonValue): readonly string[] {
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return ["BAD_USER_INPUT"];
  return valueFaults(payload);
}

/** Every code with which a value inside a payload may be refused. */
export function valueFaults(value: JsonValue): readonly string[] {
  if (typeof value === "string") return value.includes("\u0000") || !value.isWellFormed() ? ["INVALID_TEXT"] : [];
  if (typeof value !== "object" || value === null) return [];
  const faults = Object.values(value).flatMap(valueFaults);
  return Object.hasOwn(value, "__proto__") ? ["INVALID_KEY", ...faults] : faults;
}

/** Does a search meet a payload? Source: S1 "metaEnvelopes filter"; decision V21. */
export function searchMeets(search: Search | undefined, payload: Readonly<Record<string, JsonValue>>): boolean {
  if (search === undefined || search.term === "") return true;
  const fold = (text: string) => (search.caseSensitive === true ? text : text.toLowerCase());
  const term = fold(search.term);
  return Object.entries(payload).some(([field, value]) => {
    if (search.fields !== undefined && search.fields.length > 0 && !search.fields.includes(field)) return false;
    const text = fold(typeof value === "string" ? value : JSON.stringify(value));
    if (search.mode === "EXACT") return text === term;
    return search.mode === "STARTS_WITH" ? text.startsWith(term) : text.includes(term);
  });
}
