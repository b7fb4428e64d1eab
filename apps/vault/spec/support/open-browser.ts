import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const CHROMIUM = "/usr/bin/chromium";
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // No name but this machine's resolves: whatever a page needs from elsewhere fails.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/** Why tests in a browser are skipped here, or undefined: where CI=true they are not, so that a missing browser fails. */
export const browserMissing: string | undefined =
  existsSync(CHROMIUM) || process.env["CI"] === "true"
    ? undefined
    : `there is no browser at ${CHROMIUM}; install Debian's packages chromium and fonts-liberation`;

/** Opens a real browser with a fresh profile, cut off from every host but this machine. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS });
}
