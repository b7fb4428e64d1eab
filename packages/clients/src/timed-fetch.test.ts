import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { fetchJson } from "./timed-fetch.ts";
import { UpstreamError } from "./upstream-error.ts";

test("fetchJson() sends a JSON body with the method and headers, and gives the JSON of a 2xx answer", async (t) => {
  const url = await serve(t, (request, response) => {
    request.setEncoding("utf8").on("data", (body: string) => {
      const { method, headers } = request;
      const seen = { method, body, type: headers["content-type"], accept: headers.accept, extra: headers["x-extra"] };
      response.writeHead(201).end(JSON.stringify(seen));
    });
  });
  const answer = await fetchJson(fetch, { url, method: "POST", body: { a: 1 }, headers: { "x-extra": "yes" } });
  const expected = {
    method: "POST",
    body: '{"a":1}',
    type: "application/json",
    accept: "application/json",
    extra: "yes",
  };
  assert.deepEqual(answer, expected);
});

test("fetchJson() gives undefined for an empty 2xx answer", async (t) => {
  const url = await serve(t, (_request, response) => response.writeHead(204).end());
  assert.equal(await fetchJson(fetch, { url, method: "DELETE" }), undefined);
});

test("fetchJson() refuses an answer without success with its status, code and body, and logs of the error do not show it [P7]", async (t) => {
  const url = await serve(t, (_request, response) => {
    response.writeHead(409).end(JSON.stringify({ error: { code: "TAKEN", message: "private" }, existing: "@x" }));
  });
  const error = await failureOf(fetchJson(fetch, { url: `${url}?dsid=secret` }));
  assert.equal(error.code, "refused");
  assert.deepEqual([error.refusal?.status, error.refusal?.code], [409, "TAKEN"]);
  assert.partialDeepStrictEqual(error.refusal?.body, { existing: "@x" });
  assert.doesNotMatch(`${JSON.stringify(error)} ${error.message}`, /private|secret|@x/);
});

test("fetchJson() does not follow a redirect: it is a refusal [E6]", async (t) => {
  let visits = 0;
  const target = await serve(t, (_request, response) => {
    visits++;
    response.end("{}");
  });
  const url = await serve(t, (_request, response) => response.writeHead(302, { location: target }).end());
  const error = await failureOf(fetchJson(fetch, { url }));
  assert.deepEqual([error.code, error.refusal?.status, visits], ["refused", 302, 0]);
});

test("fetchJson() fails with `timeout` when the answer starts too late, and when its body dribbles past the limit [S2 Errors]", async (t) => {
  const silent = await serve(t, () => {});
  const dribbling = await serve(t, (_request, response) => {
    const timer = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(timer));
  });
  for (const url of [silent, dribbling]) {
    const startedMs = performance.now();
    assert.equal((await failureOf(fetchJson(fetch, { url, timeoutMs: 200 }))).code, "timeout");
    assert.ok(performance.now() - startedMs < 2000);
  }
});

test("fetchJson() fails with `unreachable` when nobody listens, and when the connection breaks in the middle", async (t) => {
  const broken = await serve(t, (_request, response) => {
    response.writeHead(200, { "content-length": "100" }).write("{");
    setTimeout(() => response.destroy(), 20);
  });
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
  const nobody = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
  await new Promise((resolve) => closed.close(resolve));
  for (const url of [broken, nobody]) assert.equal((await failureOf(fetchJson(fetch, { url }))).code, "unreachable");
});

test("fetchJson() passes a guarded fetch's refusal on, without its cause in the message [E6]", async () => {
  for (const code of ["forbidden_target", "too_large", "timeout", "malformed", "unreachable"]) {
    const guarded = () => Promise.reject(Object.assign(new Error("10.0.0.1"), { code }));
    const error = await failureOf(fetchJson(guarded, { url: "https://vault.example/whois" }));
    assert.equal(error.code, code);
    assert.doesNotMatch(error.message, /10\.0/);
  }
  const refused = () => Promise.reject(Object.assign(new Error("no"), { code: "ECONNREFUSED" }));
  assert.equal((await failureOf(fetchJson(refused, { url: "https://vault.example" }))).code, "unreachable");
});

test("fetchJson() fails with `malformed` for what is not JSON [V2]", async (t) => {
  for (const text of ["<html>", "{", "undefined", "\uFEFF "]) {
    const url = await serve(t, (_request, response) => response.end(text));
    assert.equal((await failureOf(fetchJson(fetch, { url }))).code, "malformed", text);
  }
});

test("fetchJson() reads 64 KiB and not a byte more, with and without an announced length [E6]", async (t) => {
  const answerOf = (sizeBytes: number): string => JSON.stringify("x".repeat(sizeBytes - 2));
  for (const announced of [true, false]) {
    const url = await serve(t, (request, response) => {
      const text = answerOf(Number(request.url?.slice(1)));
      if (!announced) response.write(text.slice(0, 1));
      response.end(announced ? text : text.slice(1));
    });
    assert.equal(String(await fetchJson(fetch, { url: `${url}/65536` })).length, 65_534);
    assert.equal((await failureOf(fetchJson(fetch, { url: `${url}/65537` }))).code, "too_large");
    assert.equal((await failureOf(fetchJson(fetch, { url: `${url}/10`, maxBytes: 9 }))).code, "too_large");
  }
});

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function failureOf(work: Promise<unknown>): Promise<UpstreamError> {
  const error = await work.then(
    () => assert.fail("it did not fail"),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof UpstreamError, String(error));
  return error;
}
