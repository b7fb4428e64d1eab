import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createTestKey, type TestKey } from "@dataspace/platform-auth/testing/test-key";
import { createTestPlatform, type TestPlatform } from "@dataspace/platform-auth/testing/test-platform";
import { type HandshakeChallenge, handshakePayload } from "@dataspace/protocol/handshake-challenge";
import { writeDpopProof } from "@dataspace/protocol/write-dpop-proof";
import type { HandshakeAnswer } from "@dataspace/platform-auth/evidence";
import type { EName } from "@dataspace/protocol/ename";
import type { TestVault } from "./start-vault.ts";

/** A certifying authority that publishes its key, and nothing else. */
export interface TestAuthority extends AsyncDisposable {
  readonly origin: string;
  readonly key: TestKey;
}

/** Starts an authority on loopback. */
export async function startAuthority(): Promise<TestAuthority> {
  const key = createTestKey("authority-1");
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(key.jwks));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

/** Makes a platform that the authority certified, whose author has a vault at this service. */
export async function createPlatform(
  vault: Pick<TestVault, "createOwner" | "signAsRegistry">,
  authority: TestAuthority,
): Promise<TestPlatform> {
  const key = createTestKey("author");
  const ename = await vault.createOwner(key.publicKey);
  return createTestPlatform({
    issuer: authority.origin,
    authority: authority.key,
    nowMs: Date.now(),
    author: { ename, key },
    bindKey: async (of, publicKey) => {
      const iat = Math.floor(Date.now() / 1000);
      return vault.signAsRegistry({ ename: of, publicKey, iat, exp: iat + 3600 });
    },
  });
}

/** Asks for a challenge of an owner. */
export function askChallenge(url: string, owner: EName, body?: unknown): Promise<Response> {
  return post(`${url}/pp-auth/challenge`, owner, body);
}

/** Signs a challenge and gives the whole answer to it. */
export async function answerTo(response: Response, platform: TestPlatform, more: object = {}): Promise<object> {
  const challenge = (await response.json()) as HandshakeChallenge;
  const signature = await platform.deploymentKey.signText(await handshakePayload(challenge));
  return { challenge, evidence: platform.evidence, signature, ...more };
}

/** Sends an answer. */
export function sendAnswer(url: string, owner: EName, answer: unknown): Promise<Response> {
  return post(`${url}/pp-auth/verify`, owner, answer);
}

/** Performs a handshake. */
export async function shakeHands(
  url: string,
  owner: EName,
  platform: TestPlatform,
  more: object = {},
): Promise<HandshakeAnswer> {
  const response = await sendAnswer(url, owner, await answerTo(await askChallenge(url, owner), platform, more));
  return (await response.json()) as HandshakeAnswer;
}

/** The headers of a request by a bound session, each time with a new proof. */
export async function dpopHeaders(
  platform: TestPlatform,
  accessToken: string,
  { method = "POST", url }: { readonly method?: string; readonly url: string },
): Promise<Readonly<Record<string, string>>> {
  const about = { method, url, accessToken, jti: crypto.randomUUID(), nowSeconds: Date.now() / 1000 };
  return { authorization: `DPoP ${accessToken}`, dpop: await writeDpopProof(platform.deploymentKey, about) };
}

function post(url: string, owner: EName, body: unknown): Promise<Response> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return fetch(url, { method: "POST", headers: { "x-ename": owner, "content-type": "application/json" }, ...sent });
}
