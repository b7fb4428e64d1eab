import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { createVaultClients } from "@dataspace/vault-client/vault-clients";
import { createWalletCredential } from "@dataspace/vault-client/wallet-credential";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { createOwner } from "../create-owner.ts";
import { startTestSpace } from "./support/start-test-space.ts";

const CHILD = path.join(import.meta.dirname, "support/write-once-child.ts");

/** On a machine that does much else, a vault may need longer than 5 s. */
const PATIENT = { timeoutMs: 60_000 };
const retry = { fetch: PATIENT, store: PATIENT, update: PATIENT };

type WhenAnswered = (answer: { readonly send: () => void; readonly response: ServerResponse }) => void;

/** A registry and a vault between a client and the real ones: `whenAnswered` has each answer to a write before the client does. */
async function startBetween(
  space: { readonly registryUrl: string; readonly vaultUrl: string },
  whenAnswered: WhenAnswered,
) {
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat((await request.toArray()) as Buffer[]);
    const isResolve = request.url?.startsWith("/resolve");
    const { host: _host, connection: _connection, ...headers } = request.headers as Record<string, string>;
    const answer = await fetch((isResolve ? space.registryUrl : space.vaultUrl) + request.url, {
      method: request.method ?? "GET",
      headers,
      ...(body.length > 0 ? { body } : {}),
    });
    const text = (await answer.text()).replaceAll(space.vaultUrl, url);
    const send = () => response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
    if (request.method === "POST") whenAnswered({ send, response });
    else send();
  };
  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  };
  return { url, [Symbol.asyncDispose]: close };
}

test("a write whose answer is lost is retried and makes one record", async () => {
  await using space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
  let answers = 0;
  await using between = await startBetween(space, ({ send, response }) => {
    answers += 1;
    if (answers === 1) response.destroy();
    else send();
  });
  const key = await createWalletKey();
  const ename = await createOwner(space, key.publicKey);
  const credential = createWalletCredential({ ename, key });
  const vault = createVaultClients({ registryUrl: between.url, credential, retry }).vault(ename);
  const { id } = await vault.create({ ontology: "note-v1", payload: { text: "once" } });
  assert.equal(answers, 2);
  assert.equal(await vault.count(), 1);
  assert.equal((await vault.get(id))?.id, id);
});

test("a program killed between its write and the answer writes nothing twice when it starts again with the same key", async () => {
  await using space = await startTestSpace();
  const owner = await createOwner(space, undefined);
  await using between = await startBetween(space, () => child.kill("SIGKILL"));
  const child = spawn(process.execPath, [CHILD, owner, between.url], { stdio: "inherit" });
  assert.deepEqual(await once(child, "exit"), [null, "SIGKILL"]);
  const vault = createVaultClients({ ...space, retry }).vault(owner);
  assert.equal(await vault.count(), 1);
  const again = spawn(process.execPath, [CHILD, owner, space.registryUrl], { stdio: "inherit" });
  assert.deepEqual(await once(again, "exit"), [0, null]);
  assert.equal(await vault.count(), 1);
});
