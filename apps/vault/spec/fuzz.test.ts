import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { test } from "node:test";
import type { Target } from "./corpus/attack.ts";
import { type Chooser, createChooser, mutate } from "./support/mutate.ts";
import { DOCUMENTS } from "./support/operations.ts";
import { sendRaw } from "./support/raw-request.ts";
import { startVault } from "./support/start-vault.ts";
import { type Besieged, besiege } from "./support/unharmed.ts";

// Where a run fails, DS_TEST_FUZZ_SEED repeats it; DS_TEST_FUZZ_RUNS makes a longer one.
const SEED = Number(process.env["DS_TEST_FUZZ_SEED"] ?? randomInt(2 ** 31));
const RUNS = Number(process.env["DS_TEST_FUZZ_RUNS"] ?? 2_000);
const AT_ONCE = 8;

/** Bodies that are right as they are: every operation, with variables and with literals. */
function seedBodies({ ownId }: Target): readonly string[] {
  const input = { ontology: "note", payload: { a: [1, { b: "text" }], c: null }, acl: ["*"] };
  const body = (query: string, variables: object = {}): string => JSON.stringify({ query, variables });
  const filter = {
    ontologyId: "note",
    search: { term: "mine", fields: ["a"], mode: "STARTS_WITH", caseSensitive: true },
  };
  return [
    body(DOCUMENTS.create, { input }),
    body(DOCUMENTS.update, { id: ownId, input }),
    body(DOCUMENTS.remove, { id: "unknown" }),
    body(DOCUMENTS.read, { id: ownId }),
    body(DOCUMENTS.list, { filter, first: 5 }),
    body(DOCUMENTS.history, { id: ownId, first: 2 }),
    body(
      'mutation { createMetaEnvelope(input: { ontology: "o", payload: { a: [1.5, "x", { b: null }] } }) { errors { code } } }',
    ),
    body('query A { metaEnvelope(id: "x") { ...F } } fragment F on MetaEnvelope { id envelopes { value } }'),
    body('{ a: searchMetaEnvelopes(ontology: "note", term: "m") { id } getAllEnvelopes { id value } }'),
    body('mutation ($v: JSON!) { updateEnvelopeValue(envelopeId: "x.YQ", newValue: $v) }', { v: { a: [true] } }),
    body('mutation { rollbackMetaEnvelope(id: "x", version: 1) { version errors { code } } }'),
    body(
      "mutation ($inputs: [BulkMetaEnvelopeInput!]!) { bulkCreateMetaEnvelopes(inputs: $inputs) { successCount errors { code } } }",
      { inputs: [{ id: "a", ...input }] },
    ),
  ];
}

async function repeat(runs: number, act: (run: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < runs) await act(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** What was sent, for the message of a failure: enough to send it again. */
const shown = (run: number, sent: string): string =>
  `seed ${SEED}, run ${run}: ${JSON.stringify(sent).slice(0, 2_000)}`;

async function fuzz(
  name: string,
  runs: number,
  send: (besieged: Besieged, choose: Chooser) => Promise<{ status: number; text: string; sent: string }>,
): Promise<void> {
  await using vault = await startVault({ introspection: false });
  const besieged = await besiege(vault);
  const statuses = new Map<number, number>();
  await repeat(runs, async (run) => {
    const { sent, ...reply } = await send(besieged, createChooser(SEED + run));
    // What was sent may come back in a refusal; what it says is then its own.
    const own = sent.split(/[^A-Za-z0-9_]+/).filter((word) => word.length > 3);
    const text = own.reduce((rest, word) => rest.replaceAll(word, ""), reply.text);
    besieged.checkAnswer({ status: reply.status, text }, shown(run, sent));
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
  });
  await besieged.checkVault(`${name}, seed ${SEED}`);
  assert.ok(statuses.size > 1, `all ${runs} were answered alike: ${[...statuses]}`);
}

test(`mutated bodies are answered or refused, ${RUNS} of them from seed ${SEED}: no fault of ours, nothing shown, nothing of others changed [T-01] [T-06] [T-09] [T-17]`, async () => {
  await fuzz("bodies", RUNS, async ({ target }, choose) => {
    const bodies = seedBodies(target);
    const body = mutate(bodies[choose(bodies.length)] ?? "", choose);
    const headers = { "content-type": "application/json", "x-ename": target.attacker };
    const response = await fetch(`${target.url}/graphql`, { method: "POST", headers, body });
    return { status: response.status, text: await response.text(), sent: body };
  });
});

test(`mutated requests are answered or refused down to their bytes, ${RUNS / 4} of them from seed ${SEED} [T-20]`, async () => {
  await fuzz("requests", Math.ceil(RUNS / 4), async ({ target }, choose) => {
    const body = seedBodies(target)[choose(7)] ?? "";
    const lines = [
      `${["POST /graphql", "GET /logs?limit=5", "GET /whois", "PATCH /public-key"][choose(4)]} HTTP/1.1`,
      "Host: 127.0.0.1",
      `X-ENAME: ${target.attacker}`,
      `X-ON-BEHALF-OF: ${target.attacker}`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    // The last line stays, so that the connection is closed and the answer ends.
    const sent = `${mutate(lines.join("\r\n"), choose)}\r\nConnection: close\r\n\r\n${body}`;
    const { status, text } = await sendRaw(target.url, sent).catch(() => ({ status: 0, text: "" }));
    return { status, text, sent };
  });
});
