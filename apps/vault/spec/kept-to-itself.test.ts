import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import { Writable } from "node:stream";
import { test } from "node:test";
import { systemClock } from "@dataspace/service-kit/clock";
import { createLog } from "@dataspace/service-kit/log";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { ask, askGraphQL } from "./support/ask.ts";
import { DOCUMENTS } from "./support/operations.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

/** Everything that lies in the vault's tables, as text. */
async function dump(vault: TestVault): Promise<string> {
  const { rows: tables } = await vault.database.query<{ name: string }>({
    text: "select table_name as name from information_schema.tables where table_schema = 'public'",
    values: [],
  });
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await vault.database.query<{ text: string | null }>({
      text: `select string_agg(t::text, ' ') as text from "${name}" t`,
      values: [],
    });
    texts.push(rows[0]?.text ?? "");
  }
  return texts.join(" ");
}

test("no payload, token, signature, session or secret appears in the log at its finest, whether a request is served, refused or fails [V-DEC-014] [decision P7] [T-91]", async () => {
  const lines: string[] = [];
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const log = createLog({ service: "vault", level: "trace", pretty: false }, destination);
  await using vault = await startVault({ auth: "enforced" }, { log });
  const key = await createWalletKey();
  const owner = await vault.createOwner(key.publicKey);
  const canary = "CANARY1f0c";
  const token = await issueWalletToken({ key, clock: systemClock }, { ename: owner, audience: owner });
  const input = { ontology: `o-${canary}`, payload: { [`key-${canary}`]: `value-${canary}` } };
  const bearers = [token, `${token.slice(0, -4)}AAAA`, `dss_${canary}`, `dsr_${canary}`, canary];
  for (const bearer of bearers) {
    const headers = { authorization: `Bearer ${bearer}` };
    for (const query of [DOCUMENTS.create, `{ ${canary} }`, `{ metaEnvelope(id: "${canary}") { id } }`, canary]) {
      await askGraphQL(vault, owner, query, { input }, headers);
    }
    await ask(vault, `/logs?cursor=${canary}`, { headers: { "x-ename": owner, ...headers } });
    const body = JSON.stringify({ publicKey: canary });
    const json = { "content-type": "application/json", "x-ename": owner, ...headers };
    await ask(vault, "/public-key", { method: "PATCH", headers: json, body });
    await ask(vault, "/graphql", { method: "POST", headers: json, body: `{${canary}` });
  }
  await vault.database.query({ text: "alter table change_event add check (stream_version > 9) not valid", values: [] });
  const fresh = await issueWalletToken({ key, clock: systemClock }, { ename: owner, audience: owner });
  const failed = await askGraphQL(vault, owner, DOCUMENTS.create, { input }, { authorization: `Bearer ${fresh}` });
  assert.equal(failed.body.errors[0].extensions.code, "INTERNAL_ERROR");
  const text = lines.join("");
  assert.ok(text.includes('"level":"error"'), "the failure is logged");
  const secrets = [canary, ...[token, fresh].flatMap((one) => one.split("."))];
  for (const secret of secrets) assert.ok(!text.includes(secret), text.slice(Math.max(0, text.indexOf(secret) - 400)));
  for (const line of lines.filter(Boolean)) JSON.parse(line);
});

test("a private key is neither sent to the vault nor stored by it, and one sent by mistake is refused [V-KEY-006]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const [key, second] = [await createWalletKey({ exportable: true }), await createWalletKey({ exportable: true })];
  const owner = await vault.createOwner(key.publicKey);
  const sent: string[] = [];
  const token = async () => issueWalletToken({ key, clock: systemClock }, { ename: owner, audience: owner });
  const patch = async (publicKey: unknown): Promise<number> => {
    const authorization = `Bearer ${await token()}`;
    const body = JSON.stringify({ publicKey });
    const headers = { "content-type": "application/json", "x-ename": owner, authorization };
    const { status } = await ask(vault, "/public-key", { method: "PATCH", headers, body });
    if (status === 200) sent.push(authorization, body);
    return status;
  };
  const jwk = await second.exportJwk();
  const pkcs8 = createPrivateKey({ key: { ...jwk }, format: "jwk" }).export({ type: "pkcs8", format: "der" });
  for (const secret of [jwk, JSON.stringify(jwk), `z${pkcs8.toString("hex")}`, pkcs8.toString("base64"), `z${jwk.d}`]) {
    assert.equal(await patch(secret), 400);
  }
  assert.equal(await patch(second.publicKey), 200);
  const authorization = `Bearer ${await token()}`;
  sent.push(authorization);
  const { body } = await askGraphQL(
    vault,
    owner,
    DOCUMENTS.create,
    { input: { ontology: "o", payload: {} } },
    { authorization },
  );
  assert.deepEqual(body.data.createMetaEnvelope.errors, []);
  const all = `${await dump(vault)} ${sent.join(" ")} ${sent.map((part) => Buffer.from(part.split(".")[1] ?? "", "base64url")).join(" ")}`;
  assert.ok(all.includes(second.publicKey));
  for (const wallet of [key, second]) {
    const d = Buffer.from((await wallet.exportJwk()).d, "base64url");
    for (const encoding of ["hex", "base64", "base64url"] as const) assert.ok(!all.includes(d.toString(encoding)));
  }
});
