import { askGraphQL } from "../support/ask.ts";
import { conditionPasses } from "./oracle-conditions.ts";
import { decide } from "./oracle-decision.ts";
import { isSelfManifest } from "./oracle-groups.ts";
import { type Fleet, walletToken } from "./send.ts";
import type { PermissionFleet } from "./start-world.ts";
import type { Verdict } from "./verdict.ts";
import { BINDING, type Caller, type Name, type Need, type Party, type StoredRecord, type World } from "./world.ts";

/** What a person may really do: `vault record permission` for each permission found. */
export type Rights = ReadonlySet<string>;

/** What the oracle says that a person may do in other vaults, and what the conditions that it rests on came to. */
export interface ExpectedRights {
  readonly verdicts: ReadonlyMap<string, Verdict>;
  readonly conditions: ReadonlyMap<string, string>;
}

const NEEDS = ["READ", "UPDATE", "DELETE"] as const;
const LIST = "query { metaEnvelopes(first: 100) { edges { node { id } } totalCount } }";
/** Records of one request; each takes two of its ten root fields. */
const AT_ONCE = 5;

/** Whose rights are watched: parties whose own vaults no policy and no condition rests on, and a group. */
export const WATCHED: readonly Name[] = ["eve", "bob", "board"];

/** Asks the oracle for every permission of a person on every record of the other vaults. */
export function expectRights(world: World, person: Party): ExpectedRights {
  const caller = callerOf(person);
  const verdicts = new Map<string, Verdict>();
  const conditions = new Map<string, string>();
  for (const party of othersOf(world, person)) {
    for (const record of activeOf(party)) {
      for (const need of NEEDS) {
        const verdict = decide(world, { party, record, caller }, need);
        verdicts.set(`${party.name} ${record.id} ${need}`, isRefusedAnyway(party, record, need) ? "no" : verdict);
      }
      conditions.set(`${party.name} ${record.id}`, conditionsOf(world, record, person));
    }
  }
  return { verdicts, conditions };
}

/** Compares what a person may do with what the oracle says. */
export function findWrong({ verdicts }: ExpectedRights, rights: Rights, person: Party): readonly string[] {
  return [...verdicts].flatMap(([right, verdict]) => {
    const has = rights.has(right);
    return verdict === (has ? "no" : "yes") ? [`${person.name} ${has ? "has" : "has not"} ${right}`] : [];
  });
}

/**
 * Asks the vaults what a person may do with every record of the other vaults. It changes nothing: a spent token is refused only
 * once the guard has let the write pass.
 */
export async function probeRights({ fleet, vault }: PermissionFleet, world: World, person: Party): Promise<Rights> {
  const spend = async (owner: string, token: string) => {
    const { sub, jti } = JSON.parse(Buffer.from(token.split(".")[1] as string, "base64url").toString());
    const text = "insert into spent_token (owner, token, expires_at) values ($1, $2, now() + interval '1 hour')";
    await vault.database.query({ text, values: [owner, `${sub} ${jti}`] });
  };
  const found = await Promise.all(
    othersOf(world, person).map(async (party) => {
      const rights = await probeVault({ fleet, spend }, world, { party, caller: callerOf(person) });
      return [...rights].map((right) => `${party.name} ${right}`);
    }),
  );
  return new Set(found.flat());
}

function othersOf(world: World, person: Party): readonly Party[] {
  return [...world.parties.values()].filter((party) => party.hasVault && party !== person);
}

function activeOf({ records }: Party): readonly StoredRecord[] {
  return [...records.values()].filter(({ removed }) => !removed);
}

function callerOf({ ename }: Party): Caller {
  return { kind: "person", ename, platform: null, behalf: null, writes: false, bearer: true };
}

/** A self-manifest and a binding document are refused to others whatever their policy says. */
function isRefusedAnyway(party: Party, record: StoredRecord, need: Need): boolean {
  if (need === "READ") return false;
  return (isSelfManifest(party, record) && party.keys.length > 0) || (record.ontology === BINDING && need === "UPDATE");
}

function conditionsOf(world: World, { policy }: StoredRecord, { ename }: Party): string {
  const conditions = [...(policy?.denials.conditions ?? []), ...(policy?.require.flat() ?? [])];
  return conditions.map((condition) => conditionPasses(world, condition, ename)).join();
}

interface Prober {
  readonly fleet: Fleet;
  readonly spend: (owner: string, token: string) => Promise<void>;
}

async function probeVault(
  prober: Prober,
  world: World,
  { party, caller }: { readonly party: Party; readonly caller: Caller },
): Promise<ReadonlySet<string>> {
  const at = prober.fleet.servers.quarantine;
  const token = await walletToken(world, caller, party);
  const headers = { authorization: `Bearer ${token}` };
  const found = new Set<string>();
  const { body } = await askGraphQL(at, party.ename, LIST, {}, headers);
  const { edges, totalCount } = body.data.metaEnvelopes;
  if (edges.length !== totalCount) throw new Error(`${edges.length} records, but totalCount ${totalCount}`);
  for (const { node } of edges) found.add(`${node.id} READ`);
  const active = activeOf(party);
  if (active.length === 0) return found;
  await prober.spend(party.ename, token);
  for (let from = 0; from < active.length; from += AT_ONCE) {
    const some = active.slice(from, from + AT_ONCE);
    const fields = some.map(
      ({ id, ontology }, n) =>
        `u${n}: updateMetaEnvelope(id: ${JSON.stringify(id)}, input: { ontology: ${JSON.stringify(ontology)}, payload: {} }) { errors { code } }
        d${n}: removeMetaEnvelope(id: ${JSON.stringify(id)}) { errors { code } }`,
    );
    const answer = await askGraphQL(at, party.ename, `mutation { ${fields.join("\n")} }`, {}, headers);
    for (const [n, { id }] of some.entries()) {
      for (const [need, field] of [
        ["UPDATE", `u${n}`],
        ["DELETE", `d${n}`],
      ] as const) {
        const code = answer.body.data[field].errors[0]?.code;
        if (code === undefined) throw new Error(`a spent token wrote: ${need} of ${id}`);
        if (code === "TOKEN_SPENT") found.add(`${id} ${need}`);
      }
    }
  }
  return found;
}
