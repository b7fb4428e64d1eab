import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import Fastify from "fastify";
import { startTestCollector } from "../testing/test-collector.ts";
import { openTracer } from "./open-tracer.ts";
import { traceRequests } from "./trace-requests.ts";

const PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const quiet = { warn: () => undefined };

test("a request's span continues the caller's trace, and one without a valid traceparent begins a trace", async () => {
  await using collector = await startTestCollector();
  await using tracer = openTracer({ endpoint: `${collector.url}/`, service: "example" }, quiet);
  await using app = Fastify();
  app.get("/things/:id", async (request) => request.trace?.span.traceparent);
  traceRequests(app, tracer);
  const ask = async (traceparent: string) =>
    (await app.inject({ url: "/things/secret-id", headers: { traceparent } })).body;
  const continued = await ask(PARENT);
  const begun = await ask("00-zz");
  await app.inject({ url: "/nothing/here" });
  const span = await collector.until(({ spanId }) => begun.includes(spanId));
  const first = await collector.until(({ spanId }) => continued.includes(spanId));
  assert.deepEqual([first.name, first.parentSpanId, first.service], ["GET /things/:id", "00f067aa0ba902b7", "example"]);
  assert.equal(first.traceId, "4bf92f3577b34da6a3ce929d0e0e4736");
  assert.equal(span.parentSpanId ?? "", "");
  assert.notEqual(span.traceId, first.traceId);
  assert.equal(collector.spans().length, 2, "an unknown path has no span");
  assert.doesNotMatch(collector.text(), /secret-id/);
});

test("a caller that does not sample its trace has no spans exported, and its trace goes on unsampled", async () => {
  await using collector = await startTestCollector();
  await using tracer = openTracer({ endpoint: collector.url, service: "example" }, quiet);
  const unsampled = tracer.startSpan("unsampled", { parent: PARENT.replace(/01$/, "00") });
  assert.match(unsampled.traceparent, /^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-00$/);
  unsampled.end();
  tracer.startSpan("sampled", {}).end();
  await collector.until(({ name }) => name === "sampled");
  assert.deepEqual(
    collector.spans().map(({ name }) => name),
    ["sampled"],
  );
});

test("a collector that hangs costs at most the spans in the queue, and a stop does not wait for it for long", async () => {
  await using collector = await startTestCollector();
  collector.hang();
  const warnings: string[] = [];
  const log = { warn: (_entry: object, message: string) => void warnings.push(message) };
  const tracer = openTracer({ endpoint: collector.url, service: "example" }, log);
  for (let n = 0; n < 20_000; n += 1) tracer.startSpan(`lost ${n}`, {}).end();
  collector.answer();
  await collector.until(({ name }) => name.startsWith("lost"));
  await tracer[Symbol.asyncDispose]();
  assert.ok(collector.spans().length <= 2_048 + 512, `${collector.spans().length} of 20,000 spans were held`);
  collector.hang();
  const second = openTracer({ endpoint: collector.url, service: "example" }, log);
  second.startSpan("never received", {}).end();
  await second[Symbol.asyncDispose]();
});

test("a collector that is not there is one warning, without its address", async () => {
  const warned = Promise.withResolvers<[object, string]>();
  const log = { warn: (entry: object, message: string) => warned.resolve([entry, message]) };
  const tracer = openTracer({ endpoint: "http://127.0.0.1:1/private-path", service: "example" }, log);
  tracer.startSpan("lost", {}).end();
  const [entry, message] = await warned.promise;
  assert.match(message, /cannot be exported/);
  assert.doesNotMatch(JSON.stringify(entry), /private-path/);
  await tracer[Symbol.asyncDispose]();
});

test("a service without a collector loads no library for traces", () => {
  const startStandalone = new URL("../run/start-standalone.ts", import.meta.url).href;
  const code = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ resolve: (name, context, next) => { loaded.push(name); return next(name, context); } });
    await import(${JSON.stringify(startStandalone)});
    console.log(JSON.stringify(loaded));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" });
  const loaded = JSON.parse(stdout || "[]") as readonly string[];
  assert.ok(loaded.includes("../tracing/start-tracing.ts"), stderr);
  // The Prometheus client itself loads `@opentelemetry/api`.
  const own = loaded.filter((name) => /opentelemetry\/(?!api$)|open-tracer/.test(name));
  assert.deepEqual(own, []);
});
