import assert from "node:assert/strict";
import { test } from "node:test";
import { findBarriers, inBrowser } from "@dataspace/ui/test-browser";
import { ALLOWED_CAMERA } from "@dataspace/ui/test-camera";
import { openArea, openRecord, perform, provision, shareSandbox } from "./support/sandbox-page.ts";
import { startSamplePlatform } from "./support/start-sample-platform.ts";
import type { Page } from "playwright-core";

const openSandbox = shareSandbox();
const NOWHERE = "ds://auth?redirect=http%3A%2F%2F127.0.0.1%3A9&session=abcdefghijklmnop&platform=Nobody";

/** Each state of the page by what it shows, and the way there from the one before. */
const STATES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  "nothing yet": async () => undefined,
  "an identity": provision,
  "the avatars of the switcher": async (page) => {
    await page.getByRole("combobox", { name: "Identity" }).click();
    await page.getByRole("option").first().waitFor();
  },
  "a request of the log": async (page) => {
    await page.keyboard.press("Escape");
    await openArea(page, "Activity");
    const log = page.getByRole("log");
    const first = log.locator(".action").first();
    if (!(await first.evaluate((one) => (one as unknown as { open: boolean }).open)))
      await first.locator("summary").first().click();
    await first.locator(".exchange summary").first().click();
    await log.getByText("Received").first().waitFor();
  },
  "what a platform asks for": async (page) => {
    await openArea(page, "Requests");
    await page.getByLabel("URI").fill(NOWHERE);
    await page.getByText("Who asks").waitFor();
  },
  "a platform that does not answer": async (page) => {
    await page.getByRole("button", { name: "Perform" }).click();
    await page.getByRole("alert").getByText("does not answer now").waitFor();
  },
  "a signature": async (page) => {
    await page.getByLabel("Payload").fill("text");
    await page.getByRole("button", { name: "Sign", exact: true }).click();
    await page.locator("#signature code").waitFor();
  },
  "the camera": async (page) => {
    await page.getByRole("button", { name: "Cancel", exact: true }).first().click();
    await page.getByRole("button", { name: "Scan a code" }).click();
    await page.getByLabel("Camera picture").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
  },
  "the vault and its platforms": async (page) => {
    await openArea(page, "Vault");
    await page.locator(".record-row").first().waitFor();
    await page.getByText("No certified platform has had access yet.").waitFor();
  },
  "a policy about to be signed": async (page) => {
    await page.getByRole("button", { name: "Block all platforms" }).click();
    await page.getByText("You are about to sign").waitFor();
  },
  "a record with what an edit of it changed": async (page) => {
    await openRecord(page, "Profile");
    await page.getByLabel("About").fill("Edited in the sandbox.");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Version 2", { exact: true }).waitFor();
  },
  "a record that is not JSON": async (page) => {
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    await page.getByLabel("Content").fill("{");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("alert").getByText("This is not JSON").waitFor();
  },
  "sharing that locks the owner out": async (page) => {
    await page.getByRole("button", { name: "Change sharing" }).click();
    await page.getByRole("group", { name: /^You/ }).getByLabel("read").uncheck();
    await page.getByText("You lock yourself out").waitFor();
  },
  "a new record": async (page) => {
    await page.getByRole("button", { name: "All records" }).click();
    await page.getByRole("button", { name: "New record" }).click();
    await page.getByRole("heading", { name: "New record" }).waitFor();
  },
  "who is asked, and a fault in it": async (page) => {
    await openArea(page, "Identity");
    await page.getByText("Registry and provisioner").click();
    await page.getByLabel("Registry", { exact: true }).fill("https://registry.example");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("alert").getByText("not on this machine").waitFor();
  },
  "an identity about to be forgotten": async (page) => {
    await page.getByRole("button", { name: "Forget" }).click();
    await page.getByText("The browser deletes its key").waitFor();
  },
  "an unfinished identity": async (page) => {
    await page.route("**/entropy", (route) => route.abort());
    await page.getByRole("button", { name: "Provision" }).click();
    await page.getByText("An identity is unfinished").waitFor();
  },
  offline: async (page) => {
    await page.context().setOffline(true);
    await page.getByText("You are offline.").waitFor();
  },
};

// Both themes and both sizes; each state is looked at in two of the four.
for (const [colorScheme, isPhone] of [
  ["light", false],
  ["dark", true],
] as const) {
  test(
    `the sandbox can be used by everybody in every state, in ${colorScheme}${isPhone ? ", on a phone" : ""}, and at 400 % [WCAG 2.2 AA]`,
    inBrowser,
    async (t) => {
      const { page } = await openSandbox(t, { colorScheme, isPhone, flags: ALLOWED_CAMERA });
      const size = page.viewportSize() ?? { width: 1280, height: 900 };
      for (const [state, reach] of Object.entries(STATES)) {
        await reach(page);
        assert.deepEqual(await findBarriers(page), [], state);
        // 320 CSS pixels are what 1280 are at 400 %: nothing may need scrolling sideways (WCAG 1.4.10).
        await page.setViewportSize({ width: 320, height: 700 });
        assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 320, state);
        await page.setViewportSize(size);
      }
    },
  );
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`the sample platform can be used by everybody, in ${colorScheme} too [WCAG 2.2 AA]`, inBrowser, async (t) => {
    const { space, browser, page: sandbox } = await openSandbox(t, { colorScheme });
    await using platform = await startSamplePlatform(space);
    const page = await browser.newPage({ colorScheme, viewport: { width: 320, height: 700 } });
    for (const [path, heading] of [
      ["/", "Log in with your wallet"],
      ["/deeplink-login?ename=@00000000-0000-4000-8000-000000000000&session=x&signature=x", "You are not logged in"],
    ] as const) {
      await page.goto(platform.url + path);
      await page.getByRole("heading", { name: heading }).waitFor();
      assert.deepEqual(await findBarriers(page), [], heading);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 320, heading);
    }
    await provision(sandbox);
    await page.goto(platform.url);
    const offer = (await page.getByRole("link", { name: "Open the wallet" }).getAttribute("href")) ?? "";
    await perform(sandbox, offer);
    await page.getByRole("heading", { name: "You are logged in" }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 320);
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByRole("heading", { name: "Log in with your wallet" }).waitFor();
  });
}

/** Reaches each control of the page by Tab. Out: the places in the page's order, and in the order of the keyboard. */
async function walkByTab(
  page: Page,
): Promise<{ readonly all: readonly string[]; readonly reached: readonly string[] }> {
  const all = await page.evaluate<
    string[]
  >(`[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
      .filter((one) => !one.disabled && one.checkVisibility() && one.tabIndex >= 0).map((one, place) => (one.dataset.place = String(place)))`);
  await page.evaluate("document.querySelector('a[href]').focus()");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Shift+Tab");
  const reached: string[] = [];
  for (const _ of all) {
    const [at, outline] = await page.evaluate<[string, string]>(
      "[document.activeElement.dataset.place, getComputedStyle(document.activeElement).outlineStyle]",
    );
    assert.notEqual(outline, "none", `element ${at}`);
    reached.push(at);
    await page.keyboard.press("Tab");
  }
  return { all, reached };
}

test(
  "the keyboard reaches everything of the sandbox in the order of the page, each with a mark of focus [WCAG 2.1.1, 2.4.3, 2.4.7]",
  inBrowser,
  async (t) => {
    const { page } = await openSandbox(t);
    await provision(page);
    await page.getByLabel("URI").fill(NOWHERE);
    const wallet = await walkByTab(page);
    assert.deepEqual(wallet.reached, wallet.all);
    await openRecord(page, "Profile");
    const vault = await walkByTab(page);
    assert.deepEqual(vault.reached, vault.all);
  },
);
