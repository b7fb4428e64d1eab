import assert from "node:assert/strict";
import { test } from "node:test";
import { findBarriers, inBrowser, openBrowser, watchPage } from "@dataspace/ui/test-browser";
import { AWARENESS_ERRORS } from "../src/errors.ts";
import { DOCUMENT } from "./support/documented.ts";
import { startAwareness } from "./support/start-awareness.ts";

const OPERATIONS = [...Object.values(DOCUMENT.paths), ...Object.values(DOCUMENT.webhooks)].flatMap((item) =>
  Object.values(item),
);

test("the page shows every operation, shape and code of the document under an address of its own, and leads nowhere that is not", async (t) => {
  const { url } = await startAwareness(t);
  const answer = await fetch(`${url}/docs`);
  assert.deepEqual([answer.status, answer.headers.get("content-type")], [200, "text/html; charset=utf-8"]);
  assert.match(answer.headers.get("content-security-policy") ?? "", /^default-src 'none'; script-src 'self'; /);
  const page = await answer.text();
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  assert.deepEqual(ids.length, new Set(ids).size);
  const wanted = [
    ...OPERATIONS.map(({ operationId }) => operationId),
    ...Object.keys(DOCUMENT.components.schemas)
      .filter((name) => name !== "Refusal")
      .map((name) => `shape-${name}`),
    ...Object.keys(AWARENESS_ERRORS).map((code) => `code-${code}`),
  ];
  assert.deepEqual(
    wanted.filter((id) => !ids.includes(id)),
    [],
  );
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  assert.deepEqual(
    links.filter((id) => !ids.includes(id)),
    [],
  );
  assert.doesNotMatch(page, /undefined|\[object/);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(
    `the page can be used by everybody, in ${colorScheme} too, in a narrow window, without scripts, and loads nothing of elsewhere [WCAG 2.2 AA]`,
    inBrowser,
    async (t) => {
      const { url } = await startAwareness(t);
      const browser = await openBrowser();
      t.after(() => browser.close());
      const tab = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 900 } });
      const faults = watchPage(tab, url);
      await tab.goto(`${url}/docs`);
      await tab.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
      assert.deepEqual(await findBarriers(tab), []);
      // 320 CSS pixels are what 1280 are at 400 % (WCAG 1.4.10).
      await tab.setViewportSize({ width: 320, height: 700 });
      assert.equal(await tab.evaluate("document.documentElement.scrollWidth"), 320);
      assert.deepEqual(faults, []);
      const plain = await browser.newPage({ javaScriptEnabled: false });
      await plain.goto(`${url}/docs`);
      await plain.getByRole("link", { name: "Follow the feed" }).first().click();
      assert.equal(new URL(plain.url()).hash, "#followFeed");
      await plain.locator("#followFeed summary").click();
      assert.ok(await plain.locator("#followFeed details pre").isVisible());
    },
  );
}
