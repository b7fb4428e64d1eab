import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { type Answer, askGraphQL } from "./support/ask.ts";
import { type ArchiveLines, asOwner, linesOf } from "./support/exits.ts";
import { upload } from "./support/file-requests.ts";
import { create, DOCUMENTS } from "./support/operations.ts";
import { createPerson, type Person } from "./support/people.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

/** Values that a member may carry wrongly: other types, the largest and the smallest, and texts that a database refuses. */
const HOSTILE: readonly unknown[] = [
  ...[null, "", "\u0000", "a\ud800", "x".repeat(300), true, -1, 0.5, 1e308, 2 ** 31, 2 ** 53 - 1, [], [null], {}],
  ...["0000-01-01T00:00:00Z", "+275760-09-13T00:00:00Z", "2026-02-30T00:00:00Z", "infinity", "1"],
  ...["00000000-0000-0000-0000-000000000000", "f".repeat(64), "{}", "[]", '{"a":"\\u0000"}', ["a\u0000"]],
];

let from: TestVault;
let to: TestVault;
let person: Person;
let archive: ArchiveLines;

before(async () => {
  from = await startVault();
  to = await startVault({}, { registry: from.registry });
  person = await createPerson(from);
  const id = await create(from, person.ename, { payload: { title: "one" }, acl: ["*"] });
  await askGraphQL(from, person.ename, DOCUMENTS.remove, { id });
  await upload(from, person.ename);
  archive = await linesOf(from, person);
});
after(async () => {
  await to[Symbol.asyncDispose]();
  await from[Symbol.asyncDispose]();
});

const isRefusal = ({ status, body }: Answer) => status < 500 && typeof body === "object";

/** An object, once for each member and hostile value in its place, and once without each member. */
function* variants(value: Readonly<Record<string, unknown>>): Generator<readonly [string, object]> {
  for (const member of Object.keys(value)) {
    for (const hostile of HOSTILE) yield [`${member} ${JSON.stringify(hostile)}`, { ...value, [member]: hostile }];
    const { [member]: _, ...rest } = value;
    yield [`without ${member}`, rest];
  }
  yield ["with one more", { ...value, more: 1 }];
}

/** A valid row of each kind that a small vault does not have. */
function furtherRows(): readonly (readonly [string, object])[] {
  const time = "2026-11-23T09:00:00+00:00";
  const text = { platform: "p", deployment: "d", version: "1", level: "L2", issuer: "i", certificate_id: "c" };
  const times = { first_at: time, last_at: time, expires_at: time };
  const hash = "0".repeat(64);
  return [
    ["access", { id: randomUUID(), day: "2026-11-23", ...text, domain: "social", action: "read", ...times }],
    ["answer", { caller: "c", key_hash: hash, body_hash: hash, expires_at: time, answer: "{}" }],
    ["token", { token: "t", expires_at: time }],
    ["policy", { issued_at: time, record_id: "p", policy: "{}" }],
    [
      "group",
      {
        ...{ record_id: "g", version: 1, ord: 1, current: true, by_owner: true, statement: "s" },
        ...{ granted: ["a"], denied: null },
      },
    ],
  ];
}

test("no value of any member of any kind of row is an internal error, nor changes what comes after it [V-DEC-691]", async () => {
  const { header, entries } = archive;
  assert.equal((await asOwner(to, person, "POST /import", { header })).status, 200);
  const rows = [...entries.map((line) => JSON.parse(line) as [string, object]), ...furtherRows()];
  const byKind = new Map(rows);
  assert.equal(byKind.size, 11);
  let position = 0;
  for (const [kind, row] of byKind) {
    for (const [name, changed] of variants(row as Readonly<Record<string, unknown>>)) {
      const sent = { from: position, entries: [JSON.stringify([kind, changed])] };
      const answer = await asOwner(to, person, "POST /import/entries", sent);
      assert.ok(isRefusal(answer), `${kind}: ${name}: ${JSON.stringify(answer.body)}`);
      if (answer.status === 200) position = answer.body.position;
    }
  }
  assert.equal((await asOwner(to, person, "GET /import")).body.position, position);
  assert.equal((await asOwner(to, person, "DELETE /import")).status, 200);
});

test("no value of any member of a header, a manifest, or a body of the exits is an internal error [V-DEC-691]", async () => {
  const { manifest } = archive;
  const header = JSON.parse(archive.header) as Readonly<Record<string, unknown>>;
  for (const [name, changed] of variants(header)) {
    const answer = await asOwner(to, person, "POST /import", { header: JSON.stringify(changed) });
    assert.ok(isRefusal(answer), `header ${name}: ${JSON.stringify(answer.body)}`);
    if (answer.status === 200) await asOwner(to, person, "DELETE /import");
  }
  assert.equal((await asOwner(to, person, "POST /import", { header: archive.header })).status, 200);
  const [kind, digest] = Object.entries(manifest.kinds)[1]!;
  const manifests = [
    ...variants(manifest as unknown as Readonly<Record<string, unknown>>),
    ...[...variants(manifest.kinds)].slice(0, 40),
    ...[...variants({ ...digest })].map(([name, value]) => [name, { ...manifest.kinds, [kind]: value }] as const),
  ];
  const bodies: readonly (readonly [string, string, object])[] = [
    ...[{ kinds: {} }, ...manifests.flatMap(([, value]) => [value, { ...manifest, kinds: value }])].map(
      (value) => ["manifest", "POST /import/finish", { manifest: value }] as const,
    ),
    ...[...variants({ from: 0, entries: ["a"] })].map(
      ([name, value]) => [name, "POST /import/entries", value] as const,
    ),
    ...[...variants({ to: "https://a.example" })].map(([name, value]) => [name, "POST /move", value] as const),
    ...[...variants({ header: "a", code: "b" })].map(([name, value]) => [name, "POST /import", value] as const),
    ...[...variants({ confirm: person.ename, id: "a", after: "b" })].map(
      ([name, value]) => [name, "POST /erase", value] as const,
    ),
  ];
  for (const [name, what, body] of bodies) {
    const answer = await asOwner(what === "POST /move" ? from : to, person, what, body);
    assert.ok(isRefusal(answer), `${what}: ${name}: ${JSON.stringify(answer.body)}`);
  }
});
