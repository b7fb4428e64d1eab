import assert from "node:assert/strict";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { createLog } from "../log.ts";
import { createHttpServer } from "./http-server.ts";

async function serve(t: TestContext) {
  const log = createLog({ service: "test", level: "silent", pretty: false });
  const app = createHttpServer({ log, bodyLimitBytes: 1_024, cors: { origins: "any" }, allowedHeaders: [] });
  t.after(() => app.close());
  app.post("/", async () => ({}));
  app.get("/things/:id", async () => ({}));
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return async (bytes: string) => {
    const socket = connect(port, "127.0.0.1");
    socket.end(bytes);
    const answer = await text(socket);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    return { status: Number(head.split(" ")[1]), head: head.toLowerCase(), body: JSON.parse(body) };
  };
}

const HEAD = "Host: a\r\nConnection: close\r\n";
const CASES: Readonly<Record<string, readonly [bytes: string, status: number, code: string]>> = {
  "no HTTP": ["hello\r\n\r\n", 400, "BAD_REQUEST"],
  "an unknown method": [`FOO / HTTP/1.1\r\n${HEAD}\r\n`, 400, "BAD_REQUEST"],
  "headers that are too large": [`GET / HTTP/1.1\r\n${HEAD}X: ${"x".repeat(20_000)}\r\n\r\n`, 431, "BAD_REQUEST"],
  "a malformed chunk": [
    `POST / HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    400,
    "BAD_REQUEST",
  ],
  "two lengths": [`POST / HTTP/1.1\r\n${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nx`, 400, "BAD_REQUEST"],
  "no Host": ["GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "BAD_REQUEST"],
  "another expectation": [`POST / HTTP/1.1\r\n${HEAD}Expect: wonders\r\nContent-Length: 0\r\n\r\n`, 417, "BAD_REQUEST"],
  "the method QUERY without a media type": [`QUERY / HTTP/1.1\r\n${HEAD}\r\n`, 400, "BAD_REQUEST"],
  "the method QUERY": [
    `QUERY / HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
    405,
    "METHOD_NOT_ALLOWED",
  ],
  "a tunnel": [`CONNECT a:1 HTTP/1.1\r\n${HEAD}\r\n`, 405, "METHOD_NOT_ALLOWED"],
  "a broken percent sign": [`GET /%zz HTTP/1.1\r\n${HEAD}\r\n`, 400, "BAD_REQUEST"],
  "a broken percent sign in a parameter": [`GET /things/%E0%A4%A HTTP/1.1\r\n${HEAD}\r\n`, 400, "BAD_REQUEST"],
  "a parameter that is too long": [`GET /things/${"x".repeat(300)} HTTP/1.1\r\n${HEAD}\r\n`, 404, "NOT_FOUND"],
};

test("what is refused before it is a request has the error body of every refusal [decision V2]", async (t) => {
  const send = await serve(t);
  for (const [name, [bytes, status, code]] of Object.entries(CASES)) {
    const answer = await send(bytes);
    assert.deepEqual([answer.status, answer.body.error.code], [status, code], name);
    assert.deepEqual(Object.keys(answer.body), ["error"], name);
    assert.deepEqual(Object.keys(answer.body.error), ["code", "message"], name);
    assert.match(answer.head, /content-type: application\/json; charset=utf-8/, name);
  }
});
