import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { createHttpServer } from "@dataspace/service-kit/http/http-server";
import { listen } from "@dataspace/service-kit/http/listen";
import { createLog } from "@dataspace/service-kit/log";
import { mountUi, sendPage } from "../mount-ui.ts";
import { findBarriers, inBrowser, openBrowser, watchPage } from "../test-browser.ts";
import { createUi } from "../ui.ts";
import { galleryPage } from "./gallery-page.ts";
import { pictureGrids } from "./picture-grids.ts";
import type { Page as BrowserPage } from "playwright-core";

const ENAME = "@e4d909c2-5d2f-4a7d-9473-b34b6c0f1a5a";
const NOW_MS = Date.parse("2026-11-22T12:00:00.000Z");
const GRIDS = new URL("gallery-grids.json", import.meta.url);
const WINDOWS = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;
/** Names that a stranger can choose: each stands in every list, card and field. */
const HOSTILE = {
  markup: `"><img src=x onerror=alert(1)><script>alert(1)</script>`,
  long: "W".repeat(10_000),
  "right to left": `\u202e${"אבגדה ".repeat(60)}`,
  marks: `Z${"\u0301\u0335\u0348".repeat(400)}`,
  emoji: "👩‍👩‍👧‍👦".repeat(200),
};

async function startGallery(t: TestContext, name = () => "Amina Diallo"): Promise<string> {
  const log = createLog({ service: "ui", level: "silent", pretty: false });
  const app = createHttpServer({ log, bodyLimitBytes: 1024, cors: { origins: "loopback" }, allowedHeaders: [] });
  const ui = createUi();
  mountUi(app, ui);
  app.get<{ Querystring: { theme?: string } }>("/ui", async ({ query: { theme } }, reply) =>
    sendPage(
      reply,
      await ui.render(
        galleryPage({ home: "/ui", at: "/ui", theme, example: { name: name(), ename: ENAME, nowMs: NOW_MS } }),
      ),
    ),
  );
  t.after(() => app.close());
  return `${(await listen(app, { host: "127.0.0.1", port: 0, portSetting: "PORT" })).url}/ui`;
}

async function openTab(t: TestContext, url: string): Promise<(given: object) => Promise<BrowserPage>> {
  const browser = await openBrowser();
  t.after(() => browser.close());
  return async (given) => {
    const tab = await browser.newPage({ reducedMotion: "reduce", ...given });
    await tab.goto(url);
    await tab.evaluate("document.fonts.ready.then(() => undefined)");
    return tab;
  };
}

test(
  "every component is accessible in both themes, on a desktop and a phone, and looks as it is stored [WCAG 2.2 AA]",
  inBrowser,
  async (t) => {
    const url = await startGallery(t);
    const open = await openTab(t, url);
    const stored = JSON.parse(readFileSync(GRIDS, "utf8")) as Record<string, string[]>;
    const seen: Record<string, readonly string[]> = {};
    for (const [name, viewport] of Object.entries(WINDOWS)) {
      for (const colorScheme of ["light", "dark"] as const) {
        const tab = await open({ colorScheme, viewport });
        const faults = watchPage(tab, new URL(url).origin);
        assert.deepEqual(await findBarriers(tab), [], `${name} ${colorScheme}`);
        for (const [id, grid] of Object.entries(await pictureGrids(tab, "main > section"))) {
          seen[`${name} ${colorScheme} ${id}`] = grid;
        }
        assert.deepEqual(faults, []);
        await tab.close();
      }
    }
    if (process.env["DS_UPDATE_GRIDS"] === "1") writeFileSync(GRIDS, `${JSON.stringify(seen, undefined, 1)}\n`);
    const changed = Object.entries(seen).flatMap(([name, grid]) => differ(name, stored[name] ?? [], grid));
    assert.deepEqual(changed, [], "look at /ui; if the change is intended, run this test with DS_UPDATE_GRIDS=1");
    assert.deepEqual(Object.keys(stored), Object.keys(seen));
  },
);

/** Two cells in a hundred may differ by more than fonts of another rasteriser do. */
function differ(name: string, stored: readonly string[], seen: readonly string[]): readonly string[] {
  const [before, after] = [stored.join(""), seen.join("")];
  if (Math.abs(stored.length - seen.length) > 1) return [`${name}: ${seen.length} rows, stored are ${stored.length}`];
  const length = Math.min(before.length, after.length);
  const level = (text: string, at: number): number => Number.parseInt(text[at] ?? "0", 36);
  const far = Array.from({ length }, (_, at) => at).filter((at) => Math.abs(level(before, at) - level(after, at)) > 3);
  return far.length > length * 0.02 ? [`${name}: ${far.length} of ${length} cells`] : [];
}

test(
  "a hostile name in every place is shown as text, and the page stays as wide as the window",
  inBrowser,
  async (t) => {
    let name = "";
    const url = await startGallery(t, () => name);
    const open = await openTab(t, url);
    for (const [kind, hostile] of Object.entries(HOSTILE)) {
      name = hostile;
      const tab = await open({ viewport: { width: 320, height: 700 } });
      assert.equal(await tab.evaluate("document.documentElement.scrollWidth"), 320, kind);
      assert.equal(await tab.locator("main img, main script").count(), 0, kind);
      assert.equal(await tab.locator(".person .clip").first().textContent(), name, kind);
      await tab.close();
    }
  },
);

test("nothing moves while the font and the scripts load [CLS below 0.02]", inBrowser, async (t) => {
  const url = await startGallery(t);
  const open = await openTab(t, "about:blank");
  const tab = await open({ viewport: WINDOWS.desktop });
  await tab.route("**/*.woff2", async (route) => {
    await new Promise((done) => setTimeout(done, 300));
    await route.continue();
  });
  await tab.addInitScript(
    "globalThis.moved = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) moved += entry.value; }).observe({ type: 'layout-shift', buffered: true });",
  );
  await tab.goto(url);
  await tab.evaluate("document.fonts.ready.then(() => new Promise((done) => setTimeout(done, 200)))");
  const moved = Number(await tab.evaluate("moved"));
  assert.ok(moved < 0.02, String(moved));
});

test(
  "tabs, a dialog and a message work by keyboard alone, and without JavaScript all panels are visible",
  inBrowser,
  async (t) => {
    const url = await startGallery(t);
    const open = await openTab(t, url);
    const tab = await open({ viewport: WINDOWS.desktop });
    await tab.getByRole("tab", { name: "Node" }).focus();
    await tab.keyboard.press("ArrowRight");
    await tab.getByText("pip install standardwebhooks").waitFor();
    assert.equal(await tab.getByText("npm install @dataspace/receiver").isVisible(), false);
    await tab.getByRole("button", { name: "Remove", exact: true }).focus();
    await tab.keyboard.press("Enter");
    await tab.getByRole("dialog", { name: "Remove this record?" }).waitFor();
    await tab.keyboard.press("Escape");
    await tab.getByRole("dialog").waitFor({ state: "hidden" });
    await tab.locator(".toast").getByRole("button", { name: "Close" }).press("Enter");
    assert.equal(await tab.locator(".toast").count(), 0);
    await tab.evaluate("document.querySelector('ds-toasts').show('<b>Saved</b>', 'ok')");
    assert.equal(await tab.locator(".toast").textContent(), "<b>Saved</b>Close");
    const plain = await open({ viewport: WINDOWS.phone, javaScriptEnabled: false });
    await plain.getByText("pip install standardwebhooks").waitFor();
    assert.equal(await plain.getByText("npm install @dataspace/receiver").isVisible(), true);
  },
);

test("a page's styles are at most 10 KB and its scripts at most 4 KB compressed, and the font at most 50 KB", async () => {
  const { gzipSync } = await import("node:zlib");
  const sizes = { css: 0, mjs: 0, woff2: 0 } as Record<string, number>;
  for (const [address, { bytes }] of createUi().files) {
    const kind = address.slice(address.lastIndexOf(".") + 1);
    if (kind in sizes) sizes[kind] = (sizes[kind] ?? 0) + (kind === "woff2" ? bytes.length : gzipSync(bytes).length);
  }
  assert.ok((sizes["css"] ?? 0) <= 10 * 1024, `css ${sizes["css"]}`);
  assert.ok((sizes["mjs"] ?? 0) <= 4 * 1024, `mjs ${sizes["mjs"]}`);
  assert.ok((sizes["woff2"] ?? 0) <= 50 * 1024, `woff2 ${sizes["woff2"]}`);
});
