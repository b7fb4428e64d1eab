import assert from "node:assert/strict";
import { test } from "node:test";
import { findBarriers, inBrowser, openBrowser, watchPage } from "@dataspace/ui/test-browser";
import { answerSignRequest, authenticate } from "@dataspace/wallet/answer-request";
import { parseWalletUri } from "@dataspace/wallet/parse-wallet-uri";
import { type Person, startTestAuthority, type TestAuthority } from "./support/start-test-authority.ts";
import type { Browser, Page } from "playwright-core";

const SIZES = { desk: { width: 1280, height: 900 }, phone: { width: 320, height: 640 } } as const;
const HOSTILE = `<img src=x onerror="document.title='owned'"><script>document.title = "owned"</script>\u202eevil\u2066${"e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301"}`;
const SCREENSHOTS = process.env["DS_SCREENSHOTS"];

interface Seen {
  readonly page: Page;
  readonly faults: readonly string[];
}

async function openPage(browser: Browser, url: string, size: keyof typeof SIZES, more: object = {}): Promise<Seen> {
  const context = await browser.newContext({ viewport: SIZES[size], ...more });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  return { page, faults: watchPage(page, url) };
}

/** Has a person's wallet answer what the page asks. */
async function answer(page: Page, person: Person): Promise<void> {
  const uri = await page.getByRole("link", { name: "Open the wallet on this device" }).getAttribute("href");
  const request = parseWalletUri(uri ?? "");
  if (request.kind === "auth") await authenticate({ fetch }, request, person);
  if (request.kind === "sign") await answerSignRequest({ fetch }, request, person);
}

/** Looks at a page in both themes: its barriers, and whether it is wider than the window. */
async function inspect(page: Page, name: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    // Without the transition between the themes, in the middle of which colours have no contrast.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    if (SCREENSHOTS !== undefined)
      await page.screenshot({ path: `${SCREENSHOTS}/${name}-${colorScheme}.png`, fullPage: true });
    found.push(...(await findBarriers(page)).map((barrier) => `${name} ${colorScheme}: ${barrier}`));
  }
  await page.emulateMedia({ colorScheme: "light" });
  const wide = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  return Number(wide) > 0 ? [...found, `${name} is ${wide} px too wide`] : found;
}

async function startWithSubmissions(t: Parameters<typeof startTestAuthority>[0]): Promise<TestAuthority> {
  const authority = await startTestAuthority(t, { isAtOwnAddress: true, sandboxUrl: () => "http://127.0.0.1:1" });
  await authority.submit({ platformName: HOSTILE, releaseTag: "a".repeat(10_000), repository: "\u05d0".repeat(500) });
  await authority.submit({ version: "1.5.0", domains: ["social", "files", "calendar"] });
  return authority;
}

test(
  "a reviewer signs in, grants and revokes in a browser by keyboard alone, and every page is accessible, fits a phone and shows hostile text as text [issue 24]",
  inBrowser,
  async (t) => {
    const authority = await startWithSubmissions(t);
    const { reviewer, url } = authority;
    const browser = await openBrowser();
    t.after(() => browser.close());
    const { page, faults } = await openPage(browser, url, "desk");
    const phone = await openPage(browser, url, "phone");
    const barriers: string[] = [];
    const look = async (on: Page, name: string) => barriers.push(...(await inspect(on, name)));

    await page.goto(`${url}/review`);
    await look(page, "sign-in");
    assert.equal(await page.getByRole("link", { name: "Open in sandbox" }).count(), 1);
    await answer(page, reviewer);
    await page.getByRole("heading", { name: "Submissions" }).waitFor();
    assert.equal(await page.getByRole("row").count(), 3);
    await look(page, "submissions");

    // By keyboard: the second submission, its level, a domain less, the author confirmed.
    await page.getByRole("link", { name: "Notes", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Notes 1.5.0" }).waitFor();
    await look(page, "submission");
    await page.getByLabel("Level").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.getByLabel("files", { exact: true }).focus();
    await page.keyboard.press("Space");
    await page.getByLabel("Valid for, in days").focus();
    await page.keyboard.press("Enter");
    await page.getByText("Confirm that you verified the author").waitFor();
    await look(page, "submission-fault");
    await page.getByLabel("I have verified who the author is").focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Sign your decision" }).waitFor();
    assert.match(await page.locator("main").innerText(), /Grant a certificate.*Notes.*1\.5\.0.*L2.*social\s+calendar/s);
    await look(page, "sign");
    const { page: other } = phone;
    await answer(page, reviewer);
    await page
      .getByText(/Granted.*by/)
      .first()
      .waitFor();
    await look(page, "granted");

    // The certificate, revoked by a typed confirmation, on a phone.
    await other.goto(`${url}/review`);
    await look(other, "sign-in-phone");
    await answer(other, reviewer);
    await other.getByRole("heading", { name: "Submissions" }).waitFor();
    await look(other, "submissions-phone");
    await other.locator("main table a").first().click();
    await other.getByRole("heading", { level: 1 }).waitFor();
    await look(other, "submission-phone");
    await other.goto(`${url}/review/submissions?show=decided`);
    await look(other, "decided-phone");
    await other.goto(`${url}/review/certificates`);
    await look(other, "certificates-phone");
    await other.getByRole("link", { name: "Notes" }).click();
    await other.getByLabel("Reason").fill("The key of the author leaked.");
    await other.getByLabel("Type the version, 1.5.0, to confirm").fill("1.5");
    await other.getByRole("button", { name: "Continue to sign" }).click();
    await other.getByText("Type 1.5.0 to confirm.").waitFor();
    await look(other, "certificate-phone");
    await other.getByLabel("Type the version, 1.5.0, to confirm").fill("1.5.0");
    await other.getByRole("button", { name: "Continue to sign" }).click();
    await look(other, "sign-phone");
    await answer(other, reviewer);
    await other.waitForURL(/certificates\/[0-9a-f-]{36}$/);
    await other.getByText("The key of the author leaked.", { exact: true }).waitFor();
    await other.goto(`${url}/review/log`);
    await look(other, "log-phone");
    await page.goto(`${url}/review/certificates`);
    await page.getByText("Revoked").first().waitFor();
    await look(page, "certificates");
    await page.getByRole("link", { name: "Notes" }).click();
    await look(page, "certificate");
    await page.goto(`${url}/review/log`);
    await look(page, "log");

    // The hostile submission on its page: visible, cut, and no markup.
    await page.goto(`${url}/review/submissions`);
    await page.locator("main table a").first().click();
    const shown = await page.locator("main").innerText();
    assert.match(shown, /<img src=x onerror="document.title='owned'">.*\[U\+202E\]evil\[U\+2066\]/);
    assert.match(shown, /aaaa … \(10000 characters\)/);
    await look(page, "hostile");
    assert.doesNotMatch(await page.title(), /^owned/);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to review" }).waitFor();
    assert.deepEqual(barriers, []);
    assert.deepEqual(
      [...faults, ...phone.faults].filter((fault) => !/status of 422/.test(fault)),
      [],
    );
  },
);

test(
  "without JavaScript a reviewer signs in and denies a submission, and the empty list says so [issue 24]",
  inBrowser,
  async (t) => {
    const authority = await startTestAuthority(t, { isAtOwnAddress: true });
    const { reviewer, url } = authority;
    const id = await authority.submit();
    const browser = await openBrowser();
    t.after(() => browser.close());
    const { page } = await openPage(browser, url, "desk", { javaScriptEnabled: false });
    await page.goto(`${url}/review`);
    await answer(page, reviewer);
    await page.getByRole("heading", { name: "Submissions" }).waitFor();
    await page.getByRole("link", { name: "Notes" }).click();
    await page.getByLabel("Reason").fill("Nobody knows the author.");
    await page.getByRole("button", { name: "Continue to sign" }).last().click();
    await answer(page, reviewer);
    await page.waitForURL(/submissions\/[0-9a-f-]{36}$/);
    await page.getByText("Nobody knows the author.", { exact: true }).waitFor();
    assert.equal((await authority.get(`/submissions/${id}`)).body.status, "denied");
    await page.getByRole("link", { name: "Submissions" }).first().click();
    await page.getByText("Nothing waits for a decision").waitFor();
  },
);
