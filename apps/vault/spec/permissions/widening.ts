import type { Request } from "./act.ts";
import type { ExpectedRights, Rights } from "./probe.ts";
import { isOwner, MANIFESTS, type Party, READING } from "./world.ts";

/**
 * Finds the rights that a person gained in vaults other than the written one.
 *
 * These gains are legitimate. A group's owner states its members, so others may gain, but never the owner. A new
 * reading of a condition's issuer may let somebody pass. The service token gives a vault its owner. Everything else is
 * a fault. Source: decisions V23, V24.
 */
export function findWidened(
  { party, caller, act }: Request,
  found: {
    readonly person: Party;
    readonly before: ExpectedRights;
    readonly after: ExpectedRights;
    readonly rights: Rights;
  },
): readonly string[] {
  const { person, before, after, rights } = found;
  if (act.do === "addKey" && act.asService) return [];
  if (isOwner(party, caller) && caller.ename !== person.ename) return [];
  return [...rights]
    .filter((right) => before.verdicts.get(right) === "no" && !right.startsWith(`${party.name} `))
    .filter((right) => {
      const record = right.slice(0, right.lastIndexOf(" "));
      return before.conditions.get(record) === after.conditions.get(record);
    })
    .map((right) => `${person.name} gained ${right}`);
}

/** Does the request concern what other vaults' policies may rest on: manifests, readings, keys? */
export function concernsOthers({ party, act }: Request): boolean {
  if (act.do === "addKey" || act.do === "removeKey") return true;
  const inputs = act.do === "bulk" ? act.inputs : "input" in act && "payload" in act.input ? [act.input] : [];
  const record = "id" in act ? party.records.get(act.id) : undefined;
  const touched = [...inputs, ...(record === undefined ? [] : [record, ...record.versions])];
  return touched.some(({ ontology }) => [...MANIFESTS, READING].includes(ontology));
}
