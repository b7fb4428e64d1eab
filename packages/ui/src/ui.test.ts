import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { test } from "node:test";
import { createHttpServer } from "@dataspace/service-kit/http/http-server";
import { listen } from "@dataspace/service-kit/http/listen";
import { createLog } from "@dataspace/service-kit/log";
import { html } from "hono/html";
import readCode from "jsqr";
import { copyable, identifier, shownOnce } from "./copyable.ts";
import { closeButton, dialog } from "./dialog.ts";
import { checkbox, field } from "./field.ts";
import { moment } from "./moment.ts";
import { mountUi, sendPage } from "./mount-ui.ts";
import type { Page } from "./page.ts";
import { qrCode } from "./qr-code.ts";
import { notice, stateMark } from "./state-mark.ts";
import { facts, table } from "./table.ts";
import { findBarriers, inBrowser, openBrowser, watchPage } from "./test-browser.ts";
import { toasts } from "./toasts.ts";
import { createUi } from "./ui.ts";

const NOW_MS = Date.parse("2026-11-22T12:00:00.000Z");
const LINK = `ds://auth?redirect=https%3A%2F%2Flogin.example%2Fds%2Fcallback&session=${"s".repeat(43)}&platform=A&name=A`;
const ENAME = "@e4d909c2-5d2f-4a7d-9473-b34b6c0f1a5a";

function everyPiece(count: number): Page["main"] {
  return html`<h1>Every piece</h1>
${notice("bad", "Nothing answered at this address.")}
${notice("ok", html`<p>It was <strong>sent</strong>.</p>`)}
<section class="card" aria-labelledby="pieces"><h2 id="pieces">Pieces</h2>
${facts([
  ["Owner", identifier(ENAME)],
  ["State", stateMark("warn", "Waiting")],
  ["Asked", moment("2026-11-22T11:57:00.000Z", NOW_MS)],
])}
${copyable(ENAME, "the eName")}
${shownOnce("whsec_dGhpcyBpcyBzaG93biBvbmNlIGFuZCBuZXZlciBhZ2Fpbg==", "the secret")}
${qrCode("ds://auth?redirect=x", "Sign-in code")}
</section>
<form method="post" action="/">${field({ name: "target", label: "Target", type: "url", hint: "Where", fault: "Not there" })}
${field({ name: "filter", label: "Filter", isLong: true, value: "</textarea><script>alert(1)</script>" })}
${checkbox("active", "Active", true)}<button>Save</button></form>
<button type="button" class="quiet" data-pauses="log" aria-pressed="false" hidden>Pause</button>
<ds-live id="log" from="/" every="0.2">
${table({ caption: "Attempts", columns: [{ title: "When" }, { title: "Status", kind: "number" }], rows: [["now", count]] })}
</ds-live>`;
}

async function startPages(t: TestContext, makePage: () => Page): Promise<string> {
  const log = createLog({ service: "ui", level: "silent", pretty: false });
  const app = createHttpServer({ log, bodyLimitBytes: 1024, cors: { origins: "loopback" }, allowedHeaders: [] });
  const ui = createUi();
  mountUi(app, ui);
  app.get("/", async (_request, reply) => sendPage(reply, await ui.render(makePage())));
  app.get("/elsewhere", async (_request, reply) => sendPage(reply, await ui.render(page({ title: "Elsewhere" }))));
  t.after(() => app.close());
  return (await listen(app, { host: "127.0.0.1", port: 0, portSetting: "PORT" })).url;
}

function page(given: Partial<Page> = {}): Page {
  const nav = [{ href: "/", text: "Here", current: true }];
  return { title: "Pieces", part: "tests", home: "/", nav, main: everyPiece(1), ...given };
}

test("every value in a page is escaped", async () => {
  const hostile = `"><script>alert('x')</script>&`;
  const written = await createUi().render(
    page({
      title: hostile,
      nav: [{ href: hostile, text: hostile, current: false }],
      main: html`${field({ name: "f", label: hostile, value: hostile, hint: hostile, fault: hostile })}
${copyable(hostile, hostile)}${identifier(hostile)}${table({ caption: hostile, columns: [{ title: hostile }], rows: [[hostile]] })}
${qrCode(hostile, hostile)}${stateMark("ok", hostile)}${notice("bad", hostile)}`,
    }),
  );
  assert.doesNotMatch(written, /<script>|alert\('/);
});

test("a page's files are cached permanently under addresses of their content, and the page is never cached", async (t) => {
  const url = await startPages(t, page);
  const answer = await fetch(url);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.match(answer.headers.get("content-security-policy") ?? "", /^default-src 'none'; script-src 'self'; /);
  const files = [...(await answer.text()).matchAll(/(?:src|href)="(\/ui\/[^"]+)"/g)].map(
    ([, address]) => address as string,
  );
  assert.deepEqual(files.map((address) => address.split("/").at(-1)).sort(), [
    ...["ds-copy.mjs", "ds-live.mjs", "icon.svg", "inter.woff2", "ui.css"],
  ]);
  for (const address of files) {
    const file = await fetch(url + address);
    assert.deepEqual([file.status, file.headers.get("cache-control")], [200, "public, max-age=31536000, immutable"]);
  }
});

test("a page loads the scripts of its own components, and a text that looks like one loads none", async () => {
  const scriptsOf = async (given: Partial<Page>) =>
    [...(await createUi().render(page(given))).matchAll(/src="[^"]*\/([^"/]+)"/g)].map(([, name]) => name);
  assert.deepEqual(await scriptsOf({ main: html`<p>${"<ds-tabs></ds-tabs><dialog>"}</p>` }), []);
  assert.deepEqual(await scriptsOf({ main: html`<p></p>`, later: ["ds-copy"] }), ["ds-copy.mjs"]);
  assert.deepEqual(await scriptsOf({ main: html`${toasts()}`, scripts: ["/app.js"] }), ["ds-toasts.mjs", "app.js"]);
  const asked = dialog({ id: "d", title: "Sure?", main: html`<p></p>`, actions: closeButton("d", "No") });
  assert.deepEqual(await scriptsOf({ main: html`${asked}` }), ["ds-dialog.mjs"]);
});

test("times are shown as distances, and by their date beyond thirty days", async () => {
  const words = async (iso: string) => /<time[^>]*>(.*)<\/time>/.exec(String(await moment(iso, NOW_MS)))?.[1];
  assert.equal(await words("2026-11-22T11:59:59.500Z"), "now");
  assert.equal(await words("2026-11-22T11:59:18.000Z"), "42 seconds ago");
  assert.equal(await words("2026-11-22T14:30:00.000Z"), "in 2 hours");
  assert.equal(await words("2026-11-21T11:00:00.000Z"), "yesterday");
  assert.equal(await words("2026-09-01T11:00:00.000Z"), "2026-09-01");
});

for (const colorScheme of ["light", "dark"] as const) {
  test(
    `every component is accessible, in ${colorScheme} too, and loads nothing from elsewhere [WCAG 2.2 AA]`,
    inBrowser,
    async (t) => {
      const url = await startPages(t, page);
      const browser = await openBrowser();
      t.after(() => browser.close());
      const tab = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 900 } });
      const faults = watchPage(tab, url);
      await tab.goto(url);
      await tab.getByRole("button", { name: "Pause" }).waitFor();
      assert.deepEqual(await findBarriers(tab), []);
      // 320 CSS pixels equal 1280 at 400 %: only tables may need to scroll sideways (WCAG 1.4.10).
      await tab.setViewportSize({ width: 320, height: 700 });
      assert.equal(await tab.evaluate("document.documentElement.scrollWidth"), 320);
      assert.deepEqual(faults, []);
    },
  );
}

test(
  "a live part follows the server's content, stops while it is paused, and follows to another page",
  inBrowser,
  async (t) => {
    let count = 1;
    const url = await startPages(t, () => page({ main: everyPiece(count) }));
    const browser = await openBrowser();
    t.after(() => browser.close());
    const tab = await browser.newPage();
    const faults = watchPage(tab, url);
    await tab.goto(url);
    count = 2;
    await tab.getByRole("cell", { name: "2", exact: true }).waitFor();
    await tab.getByRole("button", { name: "Pause" }).click();
    count = 3;
    await tab.waitForTimeout(700);
    assert.equal(await tab.getByRole("cell", { name: "3", exact: true }).count(), 0);
    await tab.getByRole("button", { name: "Pause" }).click();
    await tab.getByRole("cell", { name: "3", exact: true }).waitFor();
    await tab.route(`${url}/`, (route) =>
      route.request().resourceType() === "xhr"
        ? route.fulfill({ status: 303, headers: { location: "/elsewhere" } })
        : route.continue(),
    );
    await tab.waitForURL(`${url}/elsewhere`);
    assert.deepEqual(faults, []);
  },
);

test("a camera reads a code as its text, in the dark theme too [ISO/IEC 18004]", inBrowser, async (t) => {
  const url = await startPages(t, () => page({ main: html`<h1>Code</h1>${qrCode(LINK, "Code")}` }));
  const browser = await openBrowser();
  t.after(() => browser.close());
  const tab = await browser.newPage({ colorScheme: "dark" });
  await tab.goto(url);
  const picture = (await tab.getByRole("img", { name: "Code" }).screenshot()).toString("base64");
  const { data, width, height } = await tab.evaluate<{ data: string; width: number; height: number }>(
    `new Promise((done) => {
      const image = new Image();
      image.onload = () => {
        const { width, height } = image;
        const canvas = new OffscreenCanvas(width, height).getContext("2d");
        canvas.drawImage(image, 0, 0);
        done({ width, height, data: canvas.getImageData(0, 0, width, height).data.join() });
      };
      image.src = "data:image/png;base64,${picture}";
    })`,
  );
  assert.equal(readCode.default(Uint8ClampedArray.from(data.split(","), Number), width, height)?.data, LINK);
});
