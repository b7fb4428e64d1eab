import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { serveFetch } from "./node-http.ts";

test("every cookie of an answer reaches the browser", async (t) => {
  const headers = new Headers({ location: "/" });
  for (const cookie of ["login=; Max-Age=0", "visit=1"]) headers.append("set-cookie", cookie);
  const server = createServer(serveFetch(async () => new Response(null, { status: 303, headers })));
  t.after(() => server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const answer = await fetch(url, { redirect: "manual", headers: { connection: "close" } });
  assert.deepEqual([answer.status, answer.headers.get("location")], [303, "/"]);
  assert.deepEqual(answer.headers.getSetCookie(), ["login=; Max-Age=0", "visit=1"]);
});
