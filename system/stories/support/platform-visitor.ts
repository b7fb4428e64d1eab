import { findBarriers } from "@dataspace/ui/test-browser";
import { authenticate } from "@dataspace/wallet/answer-request";
import { parseWalletUri } from "@dataspace/wallet/parse-wallet-uri";
import type { WalletPerson } from "../../demo/platform-people.ts";
import type { Browser, Page } from "playwright-core";

/** A person with a browser of their own. */
export interface Visitor {
  readonly page: Page;
  /** What went wrong in the browser beside what a test looks at. */
  readonly faults: readonly string[];
}

/** Opens a browser context for a person. */
export async function openVisitor(
  browser: Browser,
  colorScheme: "light" | "dark",
  viewport: { readonly width: number; readonly height: number },
): Promise<Visitor> {
  const context = await browser.newContext({ colorScheme, viewport });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (line) => line.type() === "error" && faults.push(line.text()));
  return { page, faults };
}

/** Logs a person in as their wallet does: it answers the code that the page shows, and the page goes on by itself. */
export async function logIn({ page }: Visitor, url: string, person: WalletPerson): Promise<void> {
  await page.goto(url);
  const uri = await page.getByRole("link", { name: "Open the wallet on this device" }).getAttribute("href");
  const request = parseWalletUri(uri ?? "");
  if (request.kind !== "auth") throw new Error("The page offers no login.");
  await authenticate({ fetch }, request, person);
  await page.getByRole("heading", { name: "Posts", exact: true }).waitFor();
}

const SCREENSHOTS = process.env["DS_SCREENSHOTS"];

/** Checks a page for accessibility and for a width that fits; DS_SCREENSHOTS names a folder for a picture of it. */
export async function inspect({ page }: Visitor, name: string): Promise<readonly string[]> {
  if (SCREENSHOTS !== undefined) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage: true });
  const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  const wide = Number(overflow) > 0 ? [`${name} is ${overflow} px too wide`] : [];
  return [...wide, ...(await findBarriers(page)).map((barrier) => `${name}: ${barrier}`)];
}
