import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { DEMO_VERIFICATION_CODE } from "@dataspace/protocol/demo-verification-code";
import { authenticate } from "@dataspace/wallet/answer-request";
import { createMemoryKeyStore } from "@dataspace/wallet/key-store";
import { parseWalletUri } from "@dataspace/wallet/parse-wallet-uri";
import { createProvisioning } from "@dataspace/wallet/provisioning";
import { signSession } from "@dataspace/wallet/sign-session";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import type { Constellation } from "../constellation.ts";
import { startTestSpace } from "./support/start-test-space.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const README = await readFile(path.join(ROOT, "packages/wallet-login/README.md"), "utf8");

function blockOf(heading: string): string {
  const block = README.split("```").find((part) => part.startsWith(`${heading}\n`));
  return block?.slice(heading.length) ?? assert.fail(`the README has no block "${heading}"`);
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  await once(server.close(), "close");
  return port;
}

/** Runs a program of the README, in a folder where a reader would have it: beside a node_modules. Out: its address. */
async function runExample(t: TestContext, name: string, registryUrl: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "wallet-login-example-"));
  t.after(() => rm(folder, { recursive: true }));
  const file = path.join(folder, "example.ts");
  await symlink(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
  await writeFile(path.join(folder, "package.json"), '{"type":"module"}');
  await writeFile(file, blockOf(`ts ${name}`));
  const port = await findFreePort();
  const env = { ...process.env, PORT: String(port), REGISTRY_URL: registryUrl };
  const child = spawn(process.execPath, [file], { env, stdio: "inherit" });
  const ended = once(child, "exit");
  t.after(async () => {
    child.kill();
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  for (let triesLeft = 400; ; triesLeft -= 1) {
    try {
      await (await fetch(`${url}/api/auth/state`)).text();
      return url;
    } catch (error) {
      if (triesLeft === 0) throw error;
      await delay(50);
    }
  }
}

async function createPerson(space: Constellation) {
  const keys = createMemoryKeyStore({ createKey: createWalletKey });
  const provisioning = createProvisioning(
    { fetch, clock: { nowMs: () => Date.now() }, keys, save: () => undefined, report: () => undefined },
    { registryUrl: space.registryUrl, provisionerUrl: space.vaultUrl },
  );
  const { ename } = await provisioning.provision({ id: "ada", verificationId: DEMO_VERIFICATION_CODE });
  return { ename, key: await keys.ensure("ada") };
}

/** Opens the page as a browser. Out: the login's request, and what asks again as the same browser. */
async function openPage(url: string) {
  const answer = await fetch(url);
  const cookie = (answer.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
  const link = /href="([^"]+)"/.exec(await answer.text())?.[1]?.replaceAll("&amp;", "&") ?? "";
  const request = parseWalletUri(link);
  if (request.kind !== "auth") throw new Error("the page shows no login");
  const ask = (at: string) => fetch(`${url}${at}`, { headers: { cookie }, redirect: "manual" });
  return { request, ask, textOf: async (at: string) => (await ask(at)).text() };
}

for (const name of ["express", "fastify", "hono"]) {
  test(`the README's program for ${name} logs in the browser that asked, by post and by deep link, and nobody else [S2 Login flow]`, async (t) => {
    const space = await startTestSpace();
    t.after(() => space[Symbol.asyncDispose]());
    const person = await createPerson(space);
    const url = await runExample(t, name, space.registryUrl);
    const [desktop, other, phone] = await Promise.all([openPage(url), openPage(url), openPage(url)]);

    assert.match(await desktop.textOf("/api/auth/state"), /"pending"/);
    const events = await desktop.ask("/api/auth/events");
    await authenticate({ fetch }, desktop.request, person);
    assert.match(await events.text(), /event: pending\n[\s\S]*event: signed\ndata: \{"state":"signed","next":"\/"\}/);
    assert.match(await other.textOf("/"), /ds:\/\/auth/);
    assert.equal(await desktop.textOf("/"), `You are ${person.ename}.`);
    assert.match(await desktop.textOf("/"), /ds:\/\/auth/, "the login is collected once");

    const { session } = phone.request;
    const signature = await signSession(person.key, session);
    const forged = await phone.ask(
      `/deeplink-login?${new URLSearchParams({ ename: person.ename, session: other.request.session, signature })}`,
    );
    assert.equal(forged.status, 401);
    const link = `/deeplink-login?${new URLSearchParams({ ename: person.ename, session, signature })}`;
    const led = await phone.ask(link);
    assert.deepEqual([led.status, led.headers.get("location")], [303, "/"]);
    assert.equal(await phone.textOf("/"), `You are ${person.ename}.`);
    const body = JSON.stringify({ ename: person.ename, session, signature });
    const replayed = await fetch(`${url}/api/auth`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    assert.equal(replayed.status, 409);
  });
}
