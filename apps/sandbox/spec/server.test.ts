import assert from "node:assert/strict";
import { test } from "node:test";
import { createLog } from "@dataspace/service-kit/log";
import { createMetrics } from "@dataspace/service-kit/monitoring/metrics";
import { createSandboxServer } from "../src/server.ts";

const CONFIG = {
  registryUrl: "http://127.0.0.1:4321",
  provisionerUrl: "http://127.0.0.1:4000",
  cors: { origins: "any" },
} as const;

test("a failed bundle does not end the process: it is logged once, and each visit shows a sentence", async () => {
  const lines: string[] = [];
  const log = createLog(
    { service: "sandbox", level: "info", pretty: false },
    { write: (line) => void lines.push(line) },
  );
  const metrics = createMetrics({ log, monotonicMs: () => 0 });
  const app = Promise.reject(new Error("browser/main.ts is not there"));
  const server = createSandboxServer({ log, metrics, app }, CONFIG);
  // An unhandled rejection is reported after this turn, and would fail the test here.
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(lines.length, 1);
  const { msg, err } = JSON.parse(lines[0] ?? "");
  assert.deepEqual([msg, err.message], ["the sandbox's program could not be built", "browser/main.ts is not there"]);
  for (let visit = 0; visit < 2; visit++) {
    const { statusCode, body, headers } = await server.inject("/");
    assert.equal(statusCode, 500);
    assert.match(headers["content-type"] ?? "", /^text\/html/);
    assert.match(body, /Its log says why\. Correct the cause, and start the server again\./);
  }
  assert.equal((await server.inject("/app/x/main.js")).statusCode, 404);
  assert.equal((await server.inject("/healthz")).statusCode, 200);
  assert.equal(lines.length, 1);
  await server.close();
});

test("a program that asks for JSON learns what runs here, and a refusal is a page in a browser", async () => {
  const log = createLog({ service: "sandbox", level: "silent", pretty: false });
  const app = Promise.reject(new Error("not there"));
  const server = createSandboxServer({ log, metrics: createMetrics({ log, monotonicMs: () => 0 }), app }, CONFIG);
  const program = await server.inject({ url: "/", headers: { accept: "application/json" } });
  assert.deepEqual(program.json(), {
    service: "sandbox",
    status: "failing",
    links: { health: "/healthz", registry: CONFIG.registryUrl, provisioner: CONFIG.provisionerUrl },
  });
  const page = await server.inject({ url: "/nowhere", headers: { accept: "text/html" } });
  assert.deepEqual([page.statusCode, page.headers["content-type"]], [404, "text/html; charset=utf-8"]);
  assert.equal((await server.inject("/nowhere")).json().error.code, "NOT_FOUND");
  await server.close();
});

test("the page runs its own script alone, under an address of its content, and may ask anybody [S3 Sandbox]", async () => {
  const log = createLog({ service: "sandbox", level: "silent", pretty: false });
  const app = Promise.resolve({
    entry: "/app/x/main.js",
    style: "/app/x/sandbox.css",
    files: new Map([["/app/x/main.js", "export {};"]]),
  });
  const server = createSandboxServer({ log, metrics: createMetrics({ log, monotonicMs: () => 0 }), app }, CONFIG);
  const { headers, body } = await server.inject("/");
  const policy = String(headers["content-security-policy"]).split("; ");
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src http: https:",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ]) {
    assert.ok(policy.includes(rule), rule);
  }
  assert.equal(headers["permissions-policy"], "camera=(self), microphone=(), geolocation=()");
  assert.doesNotMatch(body, /(?:src|href)="(?:https?:)?\/\//);
  const file = await server.inject("/app/x/main.js");
  assert.deepEqual(
    [file.statusCode, file.headers["cache-control"], file.headers["content-type"]],
    [200, "public, max-age=31536000, immutable", "text/javascript; charset=utf-8"],
  );
  await server.close();
});
