import type { TestContext } from "node:test";
import { openBrowser } from "@dataspace/ui/test-browser";
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

/** Starts a data space in enforced mode, and opens its sandbox in a browser; `flags` are the browser's. */
export async function openSandbox(
  t: TestContext,
  { colorScheme = "light", flags = [] }: { colorScheme?: "light" | "dark"; flags?: readonly string[] } = {},
): Promise<OpenedSandbox> {
  const space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
  t.after(() => space[Symbol.asyncDispose]());
  const browser = await openBrowser(flags);
  t.after(() => browser.close());
  const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(20_000);
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (line) => line.type() === "error" && faults.push(line.text()));
  await page.goto(space.sandboxUrl);
  return { space, browser, page, faults };
}

/** Presses Provision, and waits for the new identity. Out: the new eName. */
export async function provision(page: Page): Promise<string> {
  const before = await page.getByText("Wrote the profile of").count();
  await page.getByRole("button", { name: "Provision" }).click();
  await page.getByText("Wrote the profile of").nth(before).waitFor();
  return page.getByRole("combobox", { name: "Identity" }).inputValue();
}

/** Puts a text into the field for URIs and presses Perform. */
export async function perform(page: Page, uri: string): Promise<void> {
  await page.getByLabel("URI").fill(uri);
  await page.getByRole("button", { name: "Perform" }).click();
}
