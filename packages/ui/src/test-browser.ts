import { existsSync } from "node:fs";
import axe from "axe-core";
import { type Browser, type Page as BrowserPage, chromium } from "playwright-core";

const CHROMIUM = "/usr/bin/chromium";
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Only this machine's names resolve: whatever a page needs from elsewhere fails.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

// With CI=true they are not skipped, so that a missing browser fails.
const browserMissing: string | undefined =
  existsSync(CHROMIUM) || process.env["CI"] === "true"
    ? undefined
    : `there is no browser at ${CHROMIUM}; install Debian's packages chromium and fonts-liberation`;

/** Options of a browser test: a long time limit, or the reason why it is skipped. */
export const inBrowser: { readonly timeout: number; readonly skip?: string } = {
  timeout: 120_000,
  ...(browserMissing === undefined ? {} : { skip: browserMissing }),
};

/**
 * Opens a real browser with a new profile and access to this machine only. In: additional flags, such as a camera's.
 */
export function openBrowser(moreFlags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, headless: true, args: [...FLAGS, ...moreFlags] });
}

/** Records what a visitor must never cause: requests to elsewhere, and errors of script, policy or network. */
export function watchPage(page: BrowserPage, origin: string): readonly string[] {
  const faults: string[] = [];
  page.on("console", (line) => line.type() === "error" && faults.push(`console: ${line.text()}`));
  page.on("pageerror", (error) => faults.push(`script: ${error.message}`));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) faults.push(`asked elsewhere: ${request.url()}`);
  });
  return faults;
}

/** Checks the current page for accessibility. Out: each violation with its elements. */
export async function findBarriers(page: BrowserPage): Promise<readonly string[]> {
  // Through the browser's debugging interface: the page's policy allows no foreign script, and must stay on.
  await page.evaluate(axe.source);
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const found = await page.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(tags)} })`);
  const { violations } = found as {
    violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[];
  };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`),
  );
}
