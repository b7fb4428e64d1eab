import { newests } from "./oracle-groups.ts";
import { inEvery, type Verdict, verdictOf } from "./verdict.ts";
import { type Condition, normal, type Payload, type StoredRecord, type World } from "./world.ts";

/** Does a condition pass for a subject? A caller without one never passes. Source: decision V24; decision V11. */
export function conditionPasses(world: World, condition: Condition, subject: string | null): Verdict {
  const party = subject === null ? undefined : world.parties.get(subject);
  if (party === undefined) return "no";
  const readings = [...party.records.values()].filter(
    ({ removed, ontology }) => !removed && ontology === condition.ontology,
  );
  // The spec says neither whether a quarantined reading is the newest one, nor whether a malformed one is.
  const open = readings.filter(({ quarantined }) => !quarantined);
  const views = [readings, open, readings.filter(hasForm), open.filter(hasForm)];
  const verdicts = views
    .flatMap(newests)
    .map((record) => verdictOf(record !== undefined && meets(world, { condition, subject: party.ename, record })));
  return inEvery(verdicts);
}

const hasForm = ({ payload }: StoredRecord) => Object.keys(payload).sort().join() === "signature,signer,statement";

function meets(
  world: World,
  {
    condition,
    subject,
    record,
  }: { readonly condition: Condition; readonly subject: string; readonly record: StoredRecord },
): boolean {
  const { statement, signature, signer } = record.payload;
  if (record.quarantined || !hasForm(record)) return false;
  if (
    normal(signer) !== condition.issuer ||
    !world.genuine.has(readingText({ statement, signature, signer } as Payload))
  )
    return false;
  const {
    subject: about,
    ontology,
    data,
    issuedAt,
    expiresAt,
  } = statement as Record<string, string> & { data: Payload };
  const now = Date.now();
  const isCurrent = Date.parse(issuedAt as string) <= now && now < Date.parse(expiresAt as string);
  const score = data["score"];
  return (
    about === subject &&
    ontology === condition.ontology &&
    isCurrent &&
    typeof score === "number" &&
    score >= condition.value
  );
}

/** The text under which the world remembers a reading as really signed. */
export function readingText({ statement, signature, signer }: Payload): string {
  return JSON.stringify([statement, signature, signer]);
}
