import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { createUi } from "@dataspace/ui/ui";
import { fastify } from "fastify";
import { mountDocs } from "./mount-docs.ts";
import { readPages } from "./read-pages.ts";

const root = path.resolve(import.meta.dirname, "../../..");

function startSite() {
  const app = fastify();
  mountDocs(app, createUi(), root);
  return app;
}

test("every page is served, with its title, and every link between pages leads to a page and an anchor that exist", async () => {
  const app = startSite();
  const pages = readPages(root);
  const anchors = new Map<string, Set<string>>();
  const links: { readonly from: string; readonly to: string }[] = [];
  for (const { slug, title } of pages) {
    const { statusCode, body } = await app.inject(`/docs/${slug}`);
    assert.equal(statusCode, 200, slug);
    assert.ok(body.includes("<h1"), `${slug} has no heading`);
    assert.notEqual(title, `${slug}.md`);
    anchors.set(`/docs/${slug}`, new Set([...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id ?? "")));
    for (const [, to = ""] of body.matchAll(/<a href="(\/docs\/[^"]*|#[^"]*)"/g))
      links.push({ from: slug, to: to.startsWith("#") ? `/docs/${slug}${to}` : to });
  }
  const broken = links.filter(({ to }) => {
    const [address = "", anchor] = to.split("#");
    return !anchors.has(address) || (anchor !== undefined && anchor !== "" && !anchors.get(address)?.has(anchor));
  });
  assert.deepEqual(broken, []);
  assert.ok(links.length > 1_000);
});

test("a search finds a setting, an error code and a concept, and cuts a long question", async () => {
  const app = startSite();
  const search = async (question: string) => (await app.inject(`/docs?q=${encodeURIComponent(question)}`)).body;
  assert.match(await search("DS_TRUSTED_PROXIES"), /\/docs\/docs\/settings#vault/);
  assert.match(await search("OWNER_LOCKED_OUT"), /\/docs\/apps\/vault/);
  assert.match(await search("dead letter"), /results for/);
  assert.match(await search("zzzzqqqq"), /Nothing found/);
  assert.match(await search("a".repeat(5_000)), /Nothing found/);
});

test("what a reader types is shown as text, and an unknown page is a page that says so", async () => {
  const app = startSite();
  const asked = await app.inject(`/docs?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
  assert.ok(!asked.body.includes("<script>alert"));
  for (const address of ["/docs/none", "/docs/docs/../../etc/passwd", "/docs/%00", "/docs/__proto__"]) {
    const { statusCode, body } = await app.inject(address);
    assert.equal(statusCode, 404, address);
    if (address === "/docs/none") assert.match(body, /Page not found/);
  }
  assert.equal((await app.inject("/docs?q=a&q=b")).statusCode, 200);
});
