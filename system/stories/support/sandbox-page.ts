import { after, before, type TestContext } from "node:test";
import { inBrowser, openBrowser } from "@dataspace/ui/test-browser";
import type { Constellation } from "../../constellation.ts";
import { startTestSpace } from "./start-test-space.ts";
import type { Browser, Page } from "playwright-core";

/** A sandbox in a real browser, and what went wrong there beside what a test looks at. */
export interface OpenedSandbox {
  readonly space: Constellation;
  readonly browser: Browser;
  readonly page: Page;
  readonly faults: readonly string[];
}

/** How to open a sandbox: the size and theme of the window, and the browser's flags. */
export interface SandboxOptions {
  readonly colorScheme?: "light" | "dark";
  readonly isPhone?: boolean;
  readonly flags?: readonly string[];
  /** What follows the sandbox's address, such as `?uri=…`. */
  readonly query?: string;
}

const SIZES = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;

/**
 * Shares one data space in enforced mode, and one browser for each set of flags, among the tests of a file. Each call of
 * the result opens the sandbox for a new visitor.
 */
export function shareSandbox(): (t: TestContext, options?: SandboxOptions) => Promise<OpenedSandbox> {
  const opened = new AsyncDisposableStack();
  const browsers = new Map<string, Promise<Browser>>();
  let space: Constellation;
  before(async () => {
    if (inBrowser.skip === undefined) space = opened.use(await startTestSpace({ DS_VAULT_AUTH: "enforced" }));
  });
  after(() => opened.disposeAsync());
  const open = async (flags: readonly string[]): Promise<Browser> => {
    const browser = await openBrowser(flags);
    opened.defer(() => browser.close());
    return browser;
  };
  return async (t, { colorScheme = "light", isPhone = false, flags = [], query = "" } = {}) => {
    const name = flags.join(" ");
    const opening = browsers.get(name) ?? open(flags);
    browsers.set(name, opening);
    const browser = await opening;
    const viewport = isPhone ? SIZES.phone : SIZES.desktop;
    const context = await browser.newContext({ colorScheme, viewport, hasTouch: isPhone });
    t.after(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (line) => line.type() === "error" && faults.push(line.text()));
    await page.goto(space.sandboxUrl + query);
    return { space, browser, page, faults };
  };
}

/** Presses Provision, and waits for the new identity. Out: the new eName. */
export async function provision(page: Page): Promise<string> {
  await openArea(page, "Identity");
  await page.getByRole("button", { name: "Provision" }).click();
  await page.locator("#unfinished").getByText("is ready").waitFor();
  return page.getByRole("combobox", { name: "Identity" }).inputValue();
}

/** Shows an area: a tab on a phone, a view on a desktop, where Identity and Requests stand together. */
export async function openArea(page: Page, area: "Identity" | "Requests" | "Vault" | "Activity"): Promise<void> {
  const isPhone = (page.viewportSize()?.width ?? 0) < 1_024;
  if (!isPhone && area === "Activity") return;
  const name = isPhone || area === "Vault" ? area : "Wallet";
  await page.getByRole("navigation", { name: "Areas" }).getByRole("link", { name }).click();
}

/** Puts a text into the field for URIs and presses Perform. */
export async function perform(page: Page, uri: string): Promise<void> {
  await page.getByLabel("URI").fill(uri);
  await page.getByRole("button", { name: "Perform" }).click();
}

/** Opens the vault and its record of that title. Out: when its history is there. */
export async function openRecord(page: Page, title: string | RegExp): Promise<void> {
  await openArea(page, "Vault");
  await page.locator(".record-row", { hasText: title }).first().click();
  await page
    .getByText(/^Version \d+$/)
    .first()
    .waitFor();
}
