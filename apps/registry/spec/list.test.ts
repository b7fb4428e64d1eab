import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { openDatabase } from "@dataspace/service-kit/postgres/database";
import { ask, askRefusal } from "./support/ask.ts";
import { startTestRegistry } from "./support/start-test-registry.ts";

interface Address {
  readonly ename: string;
}

test("GET /list walks every registration once, in order, by Link headers [X2]", async (t) => {
  const { url, databaseUrl } = await startTestRegistry(t);
  const enames = await registerMany(databaseUrl, 7);
  const seen: string[] = [];
  let pages = 0;
  for (let next: string | undefined = `${url}/list?limit=3`; next !== undefined; pages++) {
    const { body, headers } = await ask<Address[]>(next);
    seen.push(...body.map(({ ename }) => ename));
    next = linkToNext(headers.get("link"), next);
  }
  assert.deepEqual([seen, pages], [enames, 3]);
});

test("GET /list gives 1,000 at most and by default; a full last page has no next one [X2]", async (t) => {
  const { url, databaseUrl } = await startTestRegistry(t);
  const enames = await registerMany(databaseUrl, 1001);
  for (const query of ["", "?limit=1000", "?limit=5000"]) {
    const { body, headers } = await ask<Address[]>(`${url}/list${query}`);
    assert.deepEqual(
      body.map(({ ename }) => ename),
      enames.slice(0, 1000),
    );
    const last = await ask<Address[]>(linkToNext(headers.get("link"), url) ?? "");
    assert.deepEqual([last.body.map(({ ename }) => ename), last.headers.get("link")], [enames.slice(1000), null]);
  }
});

test("GET /list of an empty registry is an empty array with the members of /resolve otherwise [X2]", async (t) => {
  const { url, databaseUrl } = await startTestRegistry(t);
  assert.deepEqual((await ask(`${url}/list`)).body, []);
  const [ename] = await registerMany(databaseUrl, 1);
  const uri = "http://127.0.0.1:4000";
  assert.deepEqual((await ask(`${url}/list`)).body, [{ ename, uri, vault: "v", originalUri: uri, resolved: false }]);
});

test("GET /list refuses an unusable limit with BAD_REQUEST and a foreign, empty or altered cursor with BAD_CURSOR [X2, V3]", async (t) => {
  const { url, databaseUrl } = await startTestRegistry(t);
  await registerMany(databaseUrl, 3);
  for (const limit of ["0", "-1", "1.5", "x", "", "1&limit=2", "1e3"]) {
    assert.equal(await askRefusal(`${url}/list?limit=${limit}`), "400 BAD_REQUEST", limit);
  }
  const { headers } = await ask(`${url}/list?limit=1`);
  const cursor = new URL(linkToNext(headers.get("link"), url) ?? "").searchParams.get("cursor") ?? "";
  assert.equal(await askRefusal(`${url}/list?cursor=${cursor}`), "200");
  const forged = Buffer.from(`2.${"0".repeat(12)}`).toString("base64url");
  const altered = Array.from(
    cursor,
    (_, at) => `${cursor.slice(0, at)}${cursor[at] === "A" ? "B" : "A"}${cursor.slice(at + 1)}`,
  );
  for (const foreign of [
    "",
    "1",
    "x".repeat(5000),
    forged,
    `${cursor}A`,
    `${cursor}%3D`,
    `${cursor}&cursor=${cursor}`,
    ...altered,
  ]) {
    assert.equal(await askRefusal(`${url}/list?cursor=${foreign}`), "400 BAD_CURSOR", foreign);
  }
});

async function registerMany(databaseUrl: string, count: number): Promise<readonly string[]> {
  const enames = Array.from({ length: count }, () => `@${randomUUID()}`);
  await using database = openDatabase(
    {
      url: databaseUrl,
      maxConnections: 1,
      statementTimeoutMs: 10_000,
      connectTimeoutMs: 5_000,
      applicationName: "test",
    },
    () => {},
  );
  await database.query({
    text: `insert into registration (ename, uri, vault, registered_at_ms, changed_at_ms)
           select ename, 'http://127.0.0.1:4000', 'v', 0, 0 from unnest($1::text[]) with ordinality as given(ename, place)
           order by place`,
    values: [enames],
  });
  return enames;
}

function linkToNext(link: string | null, base: string): string | undefined {
  const address = /^<([^>]+)>; rel="next"$/.exec(link ?? "")?.[1];
  return address === undefined ? undefined : new URL(address, base).href;
}
