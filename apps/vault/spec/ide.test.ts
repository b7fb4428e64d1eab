import assert from "node:assert/strict";
import { test } from "node:test";
import { envToVaultConfig } from "../src/config.ts";
import { EXAMPLE_OPERATIONS } from "../src/ide/example-operations.ts";
import { ask, askGraphQL } from "./support/ask.ts";
import { createPeople } from "./support/ide-people.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

function startDevelopmentVault(): Promise<TestVault> {
  return startVault({ ide: true, auth: "header", cors: { origins: "loopback" } });
}

test("V2: without the IDE its routes are absent", async () => {
  await using vault = await startVault({ ide: false });
  for (const path of ["/graphiql", "/graphiql/start.js", "/graphiql/frame", "/graphiql/app/main.js"]) {
    const { status, body } = await ask(vault, path);
    assert.equal(status, 404, path);
    assert.equal(body.error.code, "NOT_FOUND");
  }
});

test("V2: the IDE is on in development and off in production, as introspection is", () => {
  const env = {
    DS_REGISTRY_URL: "http://127.0.0.1:4321",
    DS_VAULT_URL: "http://127.0.0.1:4322",
    DS_DATA_DIR: "/data",
    REGISTRY_SHARED_SECRET: "a registry secret of this test, 0123456789",
    DS_SECRET: "a vault secret of this test, 0123456789",
    DS_AWARENESS_URL: "http://127.0.0.1:4100",
    DS_INGEST_SECRET: "an ingest secret of this test 0123456789",
  };
  for (const [mode, on] of [
    ["development", true],
    ["production", false],
  ] as const) {
    const { ide, introspection } = envToVaultConfig({ ...env, NODE_ENV: mode });
    assert.deepEqual({ ide, introspection }, { ide: on, introspection: on }, mode);
  }
});

test("S1 GraphQL: every example of the IDE does what its name says", async () => {
  await using vault = await startDevelopmentVault();
  const owner = await vault.createOwner();
  let created = "";
  const run = async (wanted: string) => {
    const { query, variables } = EXAMPLE_OPERATIONS.find(({ name }) => name === wanted) ?? assert.fail(wanted);
    const given = { ...JSON.parse(variables || "{}"), ...(variables.includes('"id"') && { id: created }) };
    const answer = await askGraphQL(vault, owner, query, given);
    assert.equal(answer.body.errors, undefined, wanted);
    return answer.body.data;
  };
  const { id, parsed } = (await run("Create")).createMetaEnvelope.metaEnvelope;
  created = id;
  assert.equal((await run("Records")).metaEnvelopes.totalCount, 1);
  assert.equal((await run("Read")).metaEnvelope.id, id);
  assert.equal((await run("Search")).metaEnvelopes.edges[0].node.id, id);
  assert.deepEqual((await run("Update")).updateMetaEnvelope.metaEnvelope.parsed, { ...parsed, likes: 1 });
  assert.equal((await run("History")).metaEnvelopeHistory.edges.length, 2);
  assert.equal((await run("Remove")).removeMetaEnvelope.success, true);
  for (const { name, query } of EXAMPLE_OPERATIONS) {
    assert.deepEqual(query.match(/^(?:query|mutation) \w+/gm)?.length, 1, name);
  }
});

test("V2: the IDE asks for an owner and says what is wrong with the one it was given", async () => {
  await using vault = await startDevelopmentVault();
  const open = async (search: string) => {
    const response = await fetch(`${vault.url}/graphiql${search}`, { headers: { accept: "text/html" } });
    return {
      status: response.status,
      policy: response.headers.get("content-security-policy"),
      html: await response.text(),
    };
  };
  const none = await open("");
  assert.equal(none.status, 200);
  assert.match(none.html, /Whose vault do you want to open\?/);
  assert.doesNotMatch(none.html, /aria-invalid/);
  assert.match(none.policy ?? "", /^default-src 'none'; script-src 'self'; style-src 'self'; /);
  assert.doesNotMatch(none.policy ?? "", /frame-src/);
  const typed = await open(`?ename=${encodeURIComponent('"><script>alert(1)</script>')}`);
  assert.equal(typed.status, 400);
  assert.match(typed.html, /This is not an eName/);
  assert.doesNotMatch(typed.html, /<script>/);
  const unknown = await open("?ename=@00000000-0000-4000-8000-000000000000");
  assert.equal(unknown.status, 404);
  assert.match(unknown.html, /has no vault here/);
  const owner = await vault.createOwner();
  const signer = await open(`?ename=${owner}&as=@00000000-0000-4000-8000-000000000000`);
  assert.equal(signer.status, 404);
  assert.match(signer.html, /Nobody in this stack has the eName/);
  const opened = await open(`?ename=${owner}`);
  assert.match(opened.policy ?? "", /; frame-src 'self'; .*frame-ancestors 'none'/);
  const frame = await open(`/frame?ename=${owner}`);
  assert.equal(frame.status, 200);
  assert.match(frame.policy ?? "", /frame-ancestors 'self'; script-src 'self'/);
  assert.equal((await open("/frame")).status, 404);
  for (const path of [
    "/graphiql/app/../package.json",
    "/graphiql/app/%2e%2e/index.js",
    "/graphiql/app/iframe-sandbox/index.html",
  ]) {
    assert.equal((await ask(vault, path)).status, 404, path);
  }
});

test("P5: only the IDE's own page gets a demo person's token, and only a demo person's", async () => {
  const { idePeople, openAs } = createPeople();
  await using vault = await startVault({ ide: true, auth: "enforced", idePeople });
  const [amina] = await openAs(vault, ["Amina"]);
  assert.ok(amina);
  const token = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    ask(vault, "/graphiql/token", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const mine = { owner: amina.ename, person: amina.ename };
  const issued = await token(mine, { "sec-fetch-site": "same-origin" });
  assert.equal(issued.status, 200);
  assert.match(issued.headers.get("cache-control") ?? "", /no-store/);
  const headers = { authorization: `Bearer ${issued.body.token}` };
  const { body } = await askGraphQL(vault, amina.ename, "{ metaEnvelopes { totalCount } }", {}, headers);
  assert.equal(body.data.metaEnvelopes.totalCount, 0);
  for (const site of ["same-site", "cross-site", "none"]) {
    assert.equal((await token(mine, { "sec-fetch-site": site })).status, 404, site);
  }
  const stranger = await vault.createOwner();
  for (const wrong of [{ ...mine, person: stranger }, { ...mine, person: "x" }, { ...mine, owner: 1 }, {}, null, []]) {
    assert.equal((await token(wrong)).body.error.code, "NOT_FOUND", JSON.stringify(wrong));
  }
  const home = await fetch(`${vault.url}/graphiql`, { redirect: "manual" });
  assert.equal(
    home.headers.get("location"),
    `/graphiql?${new URLSearchParams({ ename: amina.ename, as: amina.ename })}`,
  );
});
