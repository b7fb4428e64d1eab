import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { createGuardedPost, type GuardedPost, type GuardedRequest } from "./guarded-post.ts";
import { type OutgoingAllow, readOutgoingAllow } from "./outgoing-allow.ts";
import { HOSTILE_HOSTS, HOSTILE_URLS, NAMES } from "./test-hostile-targets.ts";

const ADDRESSES: typeof NAMES = { ...NAMES, "vault.example": ["93.184.215.14"] };
const LOOPBACK = "127.0.0.0/8";

function allow(text: string): OutgoingAllow {
  const reading = readOutgoingAllow(text);
  assert.ok("value" in reading);
  return reading.value;
}

function guard(t: TestContext, allowed = LOOPBACK): GuardedPost {
  const guarded = createGuardedPost({ resolveHost: async (name) => ADDRESSES[name] ?? [] }, { allow: allow(allowed) });
  t.after(() => guarded[Symbol.asyncDispose]());
  return guarded;
}

function to(url: string, body = "{}"): GuardedRequest {
  return {
    requester: "test",
    url,
    headers: { "content-type": "application/json", "webhook-id": "e1" },
    body,
    keepBytes: 16_384,
  };
}

async function codeOf(work: Promise<{ readonly status: number }>): Promise<string> {
  return work.then(
    ({ status }) => String(status),
    (error: { readonly code?: string }) => String(error.code),
  );
}

async function listenOn(t: TestContext, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** A server that counts its connections. */
async function serve(t: TestContext, listener: RequestListener) {
  const server = createServer(listener);
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  t.after(() => server.closeAllConnections());
  return { url: `http://127.0.0.1:${await listenOn(t, server)}/hook?a=1`, sockets };
}

test("one request after the other goes over one connection, several at once over several, and each URL has its own [decision E6]", async (t) => {
  const seen: unknown[] = [];
  const { url, sockets } = await serve(t, (request, response) => {
    request.setEncoding("utf8").on("data", (body: string) => {
      seen.push([request.method, request.url, request.headers["webhook-id"], body]);
      response.writeHead(202, { "retry-after": "7" }).end("taken");
    });
  });
  const { post } = guard(t);
  for (const body of ["1", "2", "3"]) {
    const answer = await post(to(url, body));
    assert.deepEqual([answer.status, answer.headers["retry-after"], String(answer.body)], [202, "7", "taken"]);
  }
  assert.equal(sockets.size, 1);
  assert.deepEqual(
    seen,
    ["1", "2", "3"].map((body) => ["POST", "/hook?a=1", "e1", body]),
  );
  await Promise.all([post(to(url)), post(to(url)), post(to(url))]);
  assert.equal(sockets.size, 3);
  await post(to(`${url}&b=2`));
  assert.equal(sockets.size, 4);
});

test("a reused connection that the receiver has closed costs no attempt: the request is sent on a new one, once", async (t) => {
  const bodies: string[] = [];
  const { url, sockets } = await serve(t, (request, response) => {
    request.setEncoding("utf8").on("data", (body: string) => {
      bodies.push(body);
      if (body === "close") request.socket.destroy();
      else response.end();
    });
  });
  const { post } = guard(t);
  await post(to(url, "first"));
  assert.equal(await codeOf(post(to(url, "close"))), "unreachable");
  assert.deepEqual(bodies, ["first", "close", "close"]);
  await post(to(url, "next"));
  for (const socket of sockets) socket.destroy();
  assert.equal(await codeOf(post(to(url, "last"))), "200");
});

test("at most 16 KiB of an answer are read, whether more follows or not, and its connection ends", async (t) => {
  const { url, sockets } = await serve(t, (request, response) => {
    if (request.url === "/long") response.end("x".repeat(1_000_000));
    else if (request.url === "/exact") response.end("x".repeat(16_383));
    else response.writeHead(200, { "content-length": 100 }).write("some", () => request.socket.destroy());
  });
  const { post } = guard(t);
  const lengthOf = async (path: string) => {
    const { status, body, brokenOff } = await post(to(new URL(path, url).href));
    return [status, body.length, brokenOff];
  };
  assert.deepEqual(await lengthOf("/long"), [200, 16_384, "too_large"]);
  assert.deepEqual(await lengthOf("/exact"), [200, 16_383, undefined]);
  assert.deepEqual(await lengthOf("/broken"), [200, 4, "unfinished"]);
  assert.deepEqual(await lengthOf("/exact"), [200, 16_383, undefined]);
  assert.equal(sockets.size, 3);
});

test("redirects are answers, too long headers and no HTTP have their codes", async (t) => {
  const { url } = await serve(t, (request, response) => {
    if (request.url === "/headers") response.setHeader("x-pad", "x".repeat(16_384));
    response.writeHead(request.url === "/redirect" ? 307 : 200, { location: "/elsewhere" }).end();
  });
  const nonsense = createTcpServer((socket) => {
    socket.on("error", () => undefined).end("SSH-2.0-OpenSSH\r\n\r\n");
  });
  const { post } = guard(t);
  assert.equal(await codeOf(post(to(new URL("/redirect", url).href))), "307");
  assert.equal(await codeOf(post(to(new URL("/headers", url).href))), "too_large");
  assert.equal(await codeOf(post(to(`http://127.0.0.1:${await listenOn(t, nonsense)}/`))), "malformed");
  assert.equal(await codeOf(post(to("http://127.0.0.1:1/"))), "unreachable");
  assert.equal(await codeOf(post(to("https://nobody.example/"))), "unreachable");
});

test("names, connection, headers and body together have 5 s; a status received by then counts", {
  timeout: 20_000,
}, async (t) => {
  const { url } = await serve(t, (request, response) => {
    if (request.url !== "/dribble") return;
    const timer = setInterval(() => response.write("x"), 100);
    response.on("close", () => clearInterval(timer));
  });
  const sleepy = createGuardedPost({ resolveHost: () => new Promise(() => undefined) }, { allow: allow("") });
  const { post } = guard(t);
  const startedMs = performance.now();
  const [asleep, silent, dribbled] = await Promise.all([
    codeOf(sleepy.post(to("https://sleepy.example/"))),
    codeOf(post(to(new URL("/silent", url).href))),
    post(to(new URL("/dribble", url).href)),
  ]);
  assert.deepEqual([asleep, silent, dribbled.status], ["timeout", "timeout", 200]);
  assert.equal(dribbled.brokenOff, "unfinished");
  assert.match(String(dribbled.body), /^x+$/);
  assert.ok(performance.now() - startedMs < 7_000);
});

test("a name is judged whenever a connection is made to it, and a URL with a password at no time [V-EVT-223]", async (t) => {
  const { url, sockets } = await serve(t, (_request, response) => response.end());
  const { port } = new URL(url);
  const answers = [["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1"]];
  let asked = 0;
  const guarded = createGuardedPost(
    { resolveHost: async () => answers[asked++] ?? [] },
    { allow: allow("127.0.0.1/32") },
  );
  t.after(() => guarded[Symbol.asyncDispose]());
  const moving = `http://moving.example:${port}/`;
  assert.equal(await codeOf(guarded.post(to(moving))), "200");
  assert.equal(await codeOf(guarded.post(to(moving))), "200");
  assert.deepEqual([asked, sockets.size], [1, 1]);
  assert.deepEqual((await Promise.all([codeOf(guarded.post(to(moving))), codeOf(guarded.post(to(moving)))])).sort(), [
    "200",
    "forbidden_target",
  ]);
  assert.equal(await codeOf(guarded.post(to(`http://user:word@moving.example:${port}/`))), "forbidden_target");
  assert.deepEqual([asked, sockets.size], [2, 1]);
});

test(`nothing is posted to any of ${HOSTILE_HOSTS.length} hosts that are not public [V-EVT-221] [V-EVT-222]`, async (t) => {
  let connections = 0;
  const canary = createTcpServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  const port = await listenOn(t, canary);
  const { post } = guard(t, "192.0.2.7/32");
  const hostile = HOSTILE_HOSTS.flatMap((host) => [`https://${host}/`, `http://${host}:${port}/x`]);
  for (const url of [...hostile, ...HOSTILE_URLS.map((text) => text.replaceAll("{port}", String(port)))]) {
    assert.equal(await codeOf(post(to(url))), "forbidden_target", url);
  }
  assert.equal(connections, 0);
});
