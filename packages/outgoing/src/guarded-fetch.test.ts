import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { type TestContext, test } from "node:test";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { createGuardedFetch, type GuardedFetch } from "./guarded-fetch.ts";
import { type OutgoingAllow, readOutgoingAllow } from "./outgoing-allow.ts";
import { CERTIFICATE, PRIVATE_KEY } from "./test-certificate.ts";
import { HOSTILE_HOSTS, HOSTILE_URLS, NAMES } from "./test-hostile-targets.ts";

const resolveHost = async (hostname: string): Promise<readonly string[]> => NAMES[hostname] ?? [];

function allow(text: string): OutgoingAllow {
  const reading = readOutgoingAllow(text);
  assert.ok("value" in reading);
  return reading.value;
}

function guard(allowed: string, names: Readonly<Record<string, readonly string[]>> = {}): GuardedFetch {
  return createGuardedFetch(
    { resolveHost: async (name) => names[name] ?? resolveHost(name) },
    { allow: allow(allowed) },
  );
}

async function listenOn(t: TestContext, server: Server, host = "127.0.0.1"): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  t.after(() => server.closeAllConnections());
  return `http://127.0.0.1:${await listenOn(t, server)}`;
}

async function codeOf(work: Promise<Response>): Promise<string> {
  return work.then(
    async (response) => `${response.status} ${(await response.text()).length}`,
    (error: { readonly code?: string }) => String(error.code),
  );
}

test(`no connection is made to any of ${HOSTILE_HOSTS.length} hosts that are not public, whatever scheme and port [V-EVT-221] [V-EVT-222]`, async (t) => {
  let connections = 0;
  const canary = createTcpServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  const port = await listenOn(t, canary, "::");
  const names = { "vault.example": ["93.184.215.14"] };
  const [closed, ranged] = [guard("", names), guard("192.0.2.7/32,vault.example:8443", names)];
  for (const host of HOSTILE_HOSTS) {
    for (const url of [`https://${host}/`, `http://${host}:${port}/x`, `https://${host}:${port}/`]) {
      for (const guarded of [closed, ranged]) assert.equal(await codeOf(guarded(url, {})), "forbidden_target", url);
    }
  }
  for (const url of HOSTILE_URLS.map((text) => text.replaceAll("{port}", String(port)))) {
    for (const guarded of [closed, ranged]) assert.equal(await codeOf(guarded(url, {})), "forbidden_target", url);
  }
  assert.equal(connections, 0);
  // The canary works: without a guard, and with loopback listed, it is reached.
  await fetch(`http://127.1:${port}/`).catch(() => undefined);
  await guard("127.0.0.0/8")(`http://2130706433:${port}/`, {}).catch(() => undefined);
  assert.equal(connections, 2);
});

test("a host is resolved once, and a name that moves between two answers is asked only where it was judged [V-EVT-223] [V-EVT-228]", async (t) => {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(`${request.socket.localAddress} ${request.headers.host}`);
    response.end("{}");
  });
  const port = await listenOn(t, server, "0.0.0.0");
  const answers = [["127.0.0.2"], ["127.0.0.1"]];
  let asked = 0;
  const guarded = createGuardedFetch(
    { resolveHost: async () => answers[asked++] ?? [] },
    { allow: allow("127.0.0.2/32") },
  );
  const url = `http://rebind.example:${port}/`;
  assert.equal((await guarded(url, {})).status, 200);
  assert.deepEqual([asked, visits], [1, [`127.0.0.2 rebind.example:${port}`]]);
  assert.equal(await codeOf(guarded(url, {})), "forbidden_target");
  assert.deepEqual([asked, visits.length], [2, 1]);
});

test("over TLS the host's own name is in SNI and Host although the connection is made to the judged address", async (t) => {
  setDefaultCACertificates([...getCACertificates(), CERTIFICATE]);
  const seen: unknown[] = [];
  const server = createTlsServer({ key: PRIVATE_KEY, cert: CERTIFICATE }, (request, response) => {
    seen.push((request.socket as unknown as { servername: string }).servername, request.headers.host);
    response.end("{}");
  });
  const port = await listenOn(t, server);
  const names = { "vault.example": ["127.0.0.1"], "other.example": ["127.0.0.1"] };
  const guarded = guard(`vault.example:${port},other.example:${port}`, names);
  assert.equal(await codeOf(guarded(`https://vault.example:${port}/`, {})), "200 2");
  assert.deepEqual(seen, ["vault.example", `vault.example:${port}`]);
  assert.equal(await codeOf(guarded(`https://other.example:${port}/`, {})), "unreachable");
});

test("a redirect is not followed, its own status is the answer [decision E6]", async (t) => {
  let visits = 0;
  const target = await serve(t, (_request, response) => {
    visits += 1;
    response.end();
  });
  for (const status of [301, 302, 303, 307, 308]) {
    const url = await serve(t, (_request, response) => response.writeHead(status, { location: target }).end());
    assert.equal((await guard("127.0.0.0/8")(url, { redirect: "follow" })).status, status);
  }
  assert.equal(visits, 0);
});

test("16 KiB of headers and 1 MiB of body are read, and not more [V-EVT-224] [V-EVT-227]", async (t) => {
  const url = await serve(t, (request, response) => {
    const [what, size] = request.url?.slice(1).split("/") ?? [];
    if (what === "headers") response.setHeader("x-pad", "x".repeat(Number(size)));
    response.end(what === "body" ? "x".repeat(Number(size)) : "");
  });
  const guarded = guard("127.0.0.0/8");
  assert.equal(await codeOf(guarded(`${url}/headers/15000`, {})), "200 0");
  assert.equal(await codeOf(guarded(`${url}/headers/16384`, {})), "too_large");
  assert.equal(await codeOf(guarded(`${url}/body/1048576`, {})), "200 1048576");
  const answer = await guarded(`${url}/body/1048577`, {});
  await assert.rejects(answer.text(), { name: "OutgoingError", code: "too_large" });
});

test("an answer that is not HTTP is malformed, a compressed one stays compressed, a closed port is unreachable", async (t) => {
  const nonsense = createTcpServer((socket) => {
    socket.on("error", () => undefined).end("SSH-2.0-OpenSSH\r\n\r\n");
  });
  const guarded = guard("127.0.0.0/8");
  assert.equal(await codeOf(guarded(`http://127.0.0.1:${await listenOn(t, nonsense)}/`, {})), "malformed");
  const packed = await serve(t, (_request, response) => response.setHeader("content-encoding", "gzip").end("not gzip"));
  assert.equal(await (await guarded(packed, {})).text(), "not gzip");
  assert.equal(await codeOf(guarded("http://127.0.0.1:1/", {})), "unreachable");
  assert.equal(await codeOf(guarded("https://nobody.example/", {})), "unreachable");
});

test("method, headers and body are sent as they are given, on a connection of its own that ends with the answer [decision E6]", async (t) => {
  const seen: unknown[] = [];
  const url = await serve(t, (request, response) => {
    request.setEncoding("utf8").on("data", (body: string) => {
      seen.push([request.method, request.headers["webhook-id"], request.headers.connection, body]);
      response.writeHead(202).end();
    });
  });
  const guarded = guard("127.0.0.0/8");
  for (const body of ['{"a":1}', new TextEncoder().encode('{"a":1}')]) {
    const answer = await guarded(url, { method: "POST", headers: { "webhook-id": "e1" }, body });
    assert.equal(answer.status, 202);
  }
  assert.deepEqual(seen, [
    ["POST", "e1", "close", '{"a":1}'],
    ["POST", "e1", "close", '{"a":1}'],
  ]);
  const noBody = await serve(t, (_request, response) => response.writeHead(204).end());
  assert.equal(await codeOf(guarded(noBody, {})), "204 0");
});

test("names, connection, headers and body together have 5 s", { timeout: 20_000 }, async (t) => {
  const dribbling = await serve(t, (_request, response) => {
    const timer = setInterval(() => response.write("x"), 100);
    response.on("close", () => clearInterval(timer));
  });
  const silent = await serve(t, () => undefined);
  const startedMs = performance.now();
  const sleepy = createGuardedFetch({ resolveHost: () => new Promise(() => undefined) }, { allow: allow("") });
  const late = guard("127.0.0.0/8");
  const failures = [
    sleepy("https://sleepy.example/", {}),
    late(silent, {}),
    late(dribbling, {}).then((answer) => answer.text()),
  ].map((work) => assert.rejects(work, { name: "OutgoingError", code: "timeout" }));
  await Promise.all(failures);
  assert.ok(performance.now() - startedMs < 7_000);
});

test("the caller's signal ends a request with its own reason", async (t) => {
  const silent = await serve(t, () => undefined);
  const reason = new Error("enough");
  await assert.rejects(guard("127.0.0.0/8")(silent, { signal: AbortSignal.abort(reason) }), reason);
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 50);
  await assert.rejects(guard("127.0.0.0/8")(silent, { signal: controller.signal }), reason);
});
