import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createHttpServer } from "@dataspace/service-kit/http/http-server";
import { listen } from "@dataspace/service-kit/http/listen";
import { Refusal } from "@dataspace/service-kit/http/refusal";
import { createLog } from "@dataspace/service-kit/log";
import { mountFrontDoor } from "./front-door.ts";
import { mountUi } from "./mount-ui.ts";
import { findBarriers, inBrowser, openBrowser, watchPage } from "./test-browser.ts";
import { createUi } from "./ui.ts";

const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
const HOSTILE = `<script>alert(1)</script>${"W".repeat(3_000)}`;

async function startService(t: TestContext, fault?: string, origins: "any" | "loopback" = "any"): Promise<string> {
  const log = createLog({ service: "ui", level: "silent", pretty: false });
  const app = createHttpServer({ log, bodyLimitBytes: 1024, cors: { origins }, allowedHeaders: [] });
  const ui = createUi();
  mountUi(app, ui);
  mountFrontDoor(app, ui, {
    service: "registry",
    text: "Finds vaults.",
    links: [{ name: "health", href: "/healthz", icon: "signal", title: "Health", text: "Whether it answers." }],
    findFault: () => fault,
  });
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/refused", () => {
    throw new Refusal("BAD_REQUEST", HOSTILE, { status: 400 });
  });
  app.get("/raw", async (_request, reply) => reply.code(503).send({ error: "a shape of somebody else" }));
  t.after(() => app.close());
  return (await listen(app, { host: "127.0.0.1", port: 0, portSetting: "PORT" })).url;
}

test("the root of a service is a page for a browser, and JSON for a program", async (t) => {
  const url = await startService(t);
  const page = await fetch(url, { headers: BROWSER });
  assert.deepEqual([page.status, page.headers.get("vary")], [200, "Accept"]);
  assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
  assert.match(await page.text(), /<h1>Registry<\/h1>/);
  for (const accept of ["*/*", "application/json", ""]) {
    const answer = await fetch(url, { headers: { accept } });
    assert.deepEqual(await answer.json(), { service: "registry", status: "ok", links: { health: "/healthz" } }, accept);
  }
});

test("an answer that depends on both Origin and Accept tells caches so [RFC 9110, 12.5.5]", async (t) => {
  const url = await startService(t, undefined, "loopback");
  const headers = { ...BROWSER, origin: "http://localhost:3000" };
  for (const path of ["/", "/nowhere"]) {
    const answer = await fetch(url + path, { headers });
    assert.equal(answer.headers.get("vary"), "Origin, Accept", path);
  }
});

test("a service that does not work says why at its root", async (t) => {
  const url = await startService(t, "The replay does not run.");
  assert.match(await (await fetch(url, { headers: BROWSER })).text(), /role="alert".*The replay does not run\./s);
  assert.equal(((await (await fetch(url)).json()) as { status: string }).status, "failing");
});

test("a refusal is a page for a browser and JSON for a program, with the same status and code", async (t) => {
  const url = await startService(t);
  for (const [path, status, code] of [
    ["/nowhere", 404, "NOT_FOUND"],
    ["/refused", 400, "BAD_REQUEST"],
  ] as const) {
    const page = await fetch(url + path, { headers: BROWSER });
    assert.deepEqual([page.status, page.headers.get("content-type")], [status, "text/html; charset=utf-8"]);
    assert.match(page.headers.get("content-security-policy") ?? "", /^default-src 'none'/);
    const text = await page.text();
    assert.match(text, new RegExp(`<code>${code}</code>`));
    assert.doesNotMatch(text, /<script>alert/);
    const answer = await fetch(url + path);
    assert.equal(answer.status, status);
    assert.equal(((await answer.json()) as { error: { code: string } }).error.code, code);
  }
  const posted = await fetch(`${url}/nowhere`, { method: "POST", headers: BROWSER });
  assert.match(posted.headers.get("content-type") ?? "", /^application\/json/);
  const head = await fetch(`${url}/nowhere`, { method: "HEAD", headers: BROWSER });
  assert.deepEqual([head.status, head.headers.get("content-type")], [404, "text/html; charset=utf-8"]);
});

test("an answer of another shape stays as it is", async (t) => {
  const url = await startService(t);
  const answer = await fetch(`${url}/raw`, { headers: BROWSER });
  assert.deepEqual([answer.status, await answer.json()], [503, { error: "a shape of somebody else" }]);
});

test(
  "the root and a refusal are accessible, and a hostile message breaks no page [WCAG 2.2 AA]",
  inBrowser,
  async (t) => {
    const url = await startService(t, "The replay does not run.");
    const browser = await openBrowser();
    t.after(() => browser.close());
    for (const colorScheme of ["light", "dark"] as const) {
      const tab = await browser.newPage({ colorScheme, viewport: { width: 320, height: 700 } });
      const faults = watchPage(tab, url).filter((fault) => !fault.includes("400"));
      for (const path of ["/", "/refused"]) {
        await tab.goto(url + path);
        assert.deepEqual(await findBarriers(tab), [], path);
        assert.equal(await tab.evaluate("document.documentElement.scrollWidth"), 320, path);
      }
      assert.deepEqual(faults, []);
      await tab.close();
    }
  },
);
