import assert from "node:assert/strict";
import { test } from "node:test";
import { decideForPlatform } from "@dataspace/access/decide-for-platform";
import { parseAccessPolicy } from "@dataspace/protocol/access-policy";
import { parseEName } from "@dataspace/protocol/ename";
import { DOMAIN_BY_ONTOLOGY } from "@dataspace/protocol/ontology-domain";
import { ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import { CERTIFICATION_LEVELS, DEFAULT_OWNER_TERMS, type OwnerPolicyTerms } from "@dataspace/protocol/owner-policy";
import { createSeededRandom } from "@dataspace/service-kit/testing/test-random";
import { ask, askGraphQL } from "./support/ask.ts";
import { DOCUMENTS } from "./support/operations.ts";
import { setPolicy } from "./support/owner-policies.ts";
import { createPerson, type Person, platformSession } from "./support/people.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const SEED = 20_261_123;
const ROUNDS = 24;
const RECORDS = 80;
const BULK = `mutation ($inputs: [BulkMetaEnvelopeInput!]!) { bulkCreateMetaEnvelopes(inputs: $inputs) {
  results { id success error } } }`;
const ONTOLOGIES = [
  ...Object.values(ONTOLOGY_ID).slice(0, 12),
  ONTOLOGY_ID.SocialMediaPost,
  ONTOLOGY_ID.User,
  "unlisted",
];
const DOMAINS = [...new Set(DOMAIN_BY_ONTOLOGY.values())];
const PLATFORM = parseEName("5c0e1b52-6b0a-4d0f-9d8e-00000000000c");
const STRANGER = parseEName("5c0e1b52-6b0a-4d0f-9d8e-00000000000d");

interface Drawn {
  readonly ontology: string;
  readonly acl?: readonly string[];
  readonly _acl?: object;
}

function createDraw(seed: number) {
  const random = createSeededRandom(seed);
  const below = (n: number) => Math.floor(random() * n);
  const one = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const some = <T>(items: readonly T[]): readonly T[] => items.filter(() => below(2) === 0);
  return {
    below,
    record: (owner: string): Drawn => {
      const ontology = one(ONTOLOGIES);
      const open = { default_perms: 1, require: [[]] };
      const blocks = [
        { grants: [{ ename: PLATFORM, perms: 1 + below(15) }] },
        open,
        { ...open, denials: { enames: [PLATFORM] } },
        { ...open, denials: { enames: [STRANGER] } },
        { grants: [{ ename: owner, perms: 15 }] },
      ];
      return below(2) === 0 ? { ontology, acl: one([["*"], [], [STRANGER]]) } : { ontology, _acl: one(blocks) };
    },
    claim: () => ({ platform: PLATFORM, level: one(CERTIFICATION_LEVELS), domains: some(DOMAINS) }),
    terms: (): OwnerPolicyTerms => ({
      ...DEFAULT_OWNER_TERMS,
      minimumLevel: one(CERTIFICATION_LEVELS.slice(0, 4)),
      allowedDomains: below(2) === 0 ? null : some(DOMAINS),
      deniedDomains: below(2) === 0 ? [] : some(DOMAINS.slice(0, 3)),
    }),
  };
}

/** Everything that a session is shown, by each way of asking. */
async function shownTo(
  vault: TestVault,
  owner: Person,
  ask_: { headers: Record<string, string>; ids: readonly string[] },
) {
  const { headers, ids } = ask_;
  const listed: string[] = [];
  let after: string | null = null;
  let total = 0;
  do {
    const { body }: { body: { data: { metaEnvelopes: Connection } } } = await askGraphQL(
      vault,
      owner.ename,
      DOCUMENTS.list,
      { first: 7, after },
      headers,
    );
    const { edges, pageInfo, totalCount } = body.data.metaEnvelopes;
    listed.push(...edges.map(({ node }) => node.id));
    total = totalCount;
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
  assert.equal(total, listed.length);
  const backward = await askGraphQL(vault, owner.ename, DOCUMENTS.list, { last: 100 }, headers);
  assert.deepEqual(
    (backward.body.data.metaEnvelopes as Connection).edges.map(({ node }) => node.id),
    listed,
  );
  const reads = ids.map((id, n) => `r${n}: metaEnvelope(id: "${id}") { id }`);
  const read: string[] = [];
  for (let n = 0; n < reads.length; n += 8) {
    const { data } = (await askGraphQL(vault, owner.ename, `{ ${reads.slice(n, n + 8).join(" ")} }`, {}, headers)).body;
    for (const found of Object.values(data) as ({ id: string } | null)[]) if (found !== null) read.push(found.id);
  }
  const { body } = await ask(vault, "/logs?limit=100", { headers: { "x-ename": owner.ename, ...headers } });
  const logged = new Set<string>(body.logs.map(({ metaEnvelopeId }: { metaEnvelopeId: string }) => metaEnvelopeId));
  return { listed, read, logged };
}

interface Connection {
  readonly edges: readonly { readonly node: { readonly id: string } }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
  readonly totalCount: number;
}

test("for random certificates, owner policies and records, statements show exactly what the pure decision allows [P-DEC-040] [P-DEC-043]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await createPerson(vault);
  const draw = createDraw(SEED);
  const records = Array.from({ length: RECORDS }, () => draw.record(owner.ename));
  const inputs = records.map((record) => ({ ...record, payload: { word: "pear" } }));
  const created = await askGraphQL(vault, owner.ename, BULK, { inputs }, await owner.at(owner.ename));
  const ids: string[] = created.body.data.bulkCreateMetaEnvelopes.results.map(({ id }: { id: string }) => id);
  let shownOnce = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const [claim, terms] = [draw.claim(), draw.terms()];
    await setPolicy(vault, owner, terms);
    const allowed = ids.filter((_, index) => {
      const { ontology, _acl } = records[index] as Drawn;
      return decideForPlatform({
        gates: { certified: claim, terms, domain: DOMAIN_BY_ONTOLOGY.get(ontology), reputation: undefined },
        platform: PLATFORM,
        onBehalfOf: null,
        policy: _acl === undefined ? null : parseAccessPolicy(_acl),
        permission: "READ",
        // The registry of this test knows neither, so that neither is a group.
        facts: { memberOf: new Set(), deniedThrough: new Set(), passed: new Set() },
      }).allow;
    });
    const headers = platformSession(vault, owner.ename, claim);
    const shown = await shownTo(vault, owner, { headers, ids });
    const says = `seed ${SEED}, round ${round}`;
    assert.deepEqual(shown.listed, allowed, says);
    assert.deepEqual(shown.read, allowed, says);
    assert.deepEqual(shown.logged, new Set(allowed), says);
    shownOnce += allowed.length;
  }
  assert.ok(shownOnce > RECORDS, `only ${shownOnce}`);
});
