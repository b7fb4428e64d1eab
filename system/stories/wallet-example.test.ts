import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { createCertifiedKeys } from "@dataspace/clients/certified-keys";
import { createHasSigned } from "@dataspace/clients/has-signed";
import { createRegistryClient } from "@dataspace/clients/registry-client";
import { createRemoteKeySet } from "@dataspace/clients/remote-key-set";
import { createVerifyEcdsa } from "@dataspace/clients/verify-ecdsa";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { makeAuthUri } from "@dataspace/protocol/wallet-uri";
import { startTestSpace } from "./support/start-test-space.ts";

const EXAMPLE = path.join(import.meta.dirname, "../../packages/wallet/example.ts");
const clock = { nowMs: () => Date.now() };

/** A platform under test: it offers a login, and lets in whoever signed the session it issued. */
interface Platform extends AsyncDisposable {
  readonly offer: string;
  readonly loggedIn: readonly EName[];
}

async function startPlatform(space: { readonly registryUrl: string }): Promise<Platform> {
  const keySetUrl = `${space.registryUrl}/.well-known/jwks.json`;
  const hasSigned = createHasSigned({
    findCertifiedKeys: createCertifiedKeys({
      guardedFetch: fetch,
      clock,
      registry: createRegistryClient({ fetch }, space),
      keySet: createRemoteKeySet({ fetch, clock }, { keySetUrl }),
    }),
    verifyEcdsa: createVerifyEcdsa(),
  });
  const session = crypto.randomUUID();
  const loggedIn: EName[] = [];
  const server = createServer(async (request, response) => {
    const answer = JSON.parse((await request.toArray()).join("")) as Record<"ename" | "session" | "signature", string>;
    const signer = parseEName(answer.ename);
    const isGood =
      answer.session === session && (await hasSigned({ signer, text: session, signature: answer.signature }));
    if (isGood) loggedIn.push(signer);
    response.writeHead(isGood ? 200 : 401).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const redirect = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/auth`;
  const close = async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  };
  return {
    offer: makeAuthUri({ redirect, session, platform: "Notes" }),
    loggedIn,
    [Symbol.asyncDispose]: close,
  };
}

test("the wallet's example makes an identity, writes a record and logs in at a platform that verifies it (S2 Login flow, S3 Sandbox) [P-SBX-022] [P-SBX-023] [P-SBX-024] [V-CNV-003]", async () => {
  await using space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
  await using platform = await startPlatform(space);
  const args = [EXAMPLE, space.registryUrl, space.vaultUrl, platform.offer];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  assert.equal(platform.loggedIn.length, 1);
  assert.ok(stdout.includes(`${platform.loggedIn[0]} ${space.vaultUrl}`), stdout);
  assert.match(stdout, /"metaEnvelope":\{"id":"[^"]+"\}/);
  assert.match(stdout, /Notes at http\S+ asks who you are\. Your signature confirms a session, such as a login\./);
});
