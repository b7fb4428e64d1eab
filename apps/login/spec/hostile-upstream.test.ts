import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { createLog } from "@dataspace/service-kit/log";
import { createRegistryPart } from "../src/registry-part.ts";
import { createFakeUpstream, signCertificate, signRaw } from "./support/fake-upstream.ts";
import { ADA } from "./support/start-login.ts";

const PART = "x".repeat(65_536);
const MOST_SENT_BYTES = 33_554_432;
const BOMB = gzipSync(Buffer.alloc(67_108_864, " "));

/** What a vault sends after it accepted a connection. */
const ANSWERS: Readonly<Record<string, (socket: Socket) => void>> = {
  nothing: () => undefined,
  "a head without end": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    repeat(socket, () => socket.write("a: b\r\n"), 20);
  },
  "headers above every bound": (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(100_000)}\r\n{}`);
  },
  "a byte at a time": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n");
    repeat(socket, () => socket.write(" "), 20);
  },
  "a body without end": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n");
    const fill = (): void => {
      while (!socket.destroyed && socket.write(PART));
    };
    socket.on("drain", fill);
    fill();
  },
  "64 MiB in 64 KiB of gzip": (socket) => {
    socket.write(
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: ${BOMB.length}\r\n\r\n`,
    );
    socket.write(BOMB);
  },
};

for (const [what, answer] of Object.entries(ANSWERS)) {
  test(`a vault that sends ${what} ends the login with a code, in bounded time and memory [T-42] [L-ERR-004]`, {
    timeout: 30_000,
  }, async (t) => {
    const { url, sentBytes } = await startVault(t, answer);
    const { check, walletKey } = startCheck(url);
    const session = "s".repeat(43);
    const before = process.memoryUsage().rss;
    const outcome = await check({ ename: ADA, session, signature: signRaw(walletKey, session).toString("base64") });
    assert.ok("failure" in outcome && /^upstream_/.test(outcome.failure), JSON.stringify(outcome));
    assert.ok(sentBytes() < MOST_SENT_BYTES, `${sentBytes()} bytes`);
    const grownBytes = process.memoryUsage().rss - before;
    assert.ok(grownBytes < MOST_SENT_BYTES, `${grownBytes} bytes more`);
  });
}

async function startVault(t: TestContext, answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => answer(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sentBytes: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
  };
}

function repeat(socket: Socket, act: () => void, everyMs: number): void {
  const timer = setInterval(act, everyMs);
  socket.once("close", () => clearInterval(timer));
}

/** A check whose registry is honest and names the vault. */
function startCheck(vaultUrl: string) {
  const { walletKey } = createFakeUpstream();
  const registry = async (url: string): Promise<Response> =>
    new URL(url).pathname === "/resolve"
      ? Response.json({ kind: "vault", ename: ADA, uri: vaultUrl, vault: "vault-1" })
      : Response.json({ error: { code: "GONE" } }, { status: 410 });
  const log = createLog({ service: "login", level: "silent", pretty: false });
  const { check } = createRegistryPart(
    { fetch: registry, guardedFetch: fetch, clock: { nowMs: () => Date.now() }, log },
    {
      issuer: "https://login.example",
      registryUrl: "https://registry.example",
      upstreamTimeoutMs: 1_000,
      jwksCacheSeconds: 300,
    },
  );
  return { check, walletKey };
}

test("a certificate counts until 60 s after its end, and from 60 s before its beginning [T-45]", async () => {
  const upstream = createFakeUpstream();
  const session = "s".repeat(43);
  const signature = signRaw(upstream.walletKey, session).toString("base64");
  const outcomeWith = async (times: { readonly iat?: number; readonly exp?: number; readonly nbf?: number }) => {
    const claims = { ...upstream.good.claims, ...times };
    const certificate = signCertificate(upstream.registryKey, { ...upstream.good, claims });
    upstream.setWhois(() => Response.json({ dsid: ADA, keyBindingCertificates: [certificate] }));
    return "signed" in (await upstream.check({ ename: ADA, session, signature }));
  };
  const now = () => Math.floor(Date.now() / 1000);
  // Half of the leeway lies between the cases, so a slow machine does not decide them.
  const ended = (agoSeconds: number) => outcomeWith({ iat: now() - 3_600, exp: now() - agoSeconds });
  assert.deepEqual([await ended(30), await ended(61)], [true, false], "exp");
  assert.deepEqual(
    [await outcomeWith({ iat: now() + 59 }), await outcomeWith({ iat: now() + 90 })],
    [true, false],
    "iat",
  );
  assert.deepEqual(
    [await outcomeWith({ nbf: now() + 59 }), await outcomeWith({ nbf: now() + 90 })],
    [true, false],
    "nbf",
  );
});
