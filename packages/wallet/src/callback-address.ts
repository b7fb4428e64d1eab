import { WalletError } from "./wallet-error.ts";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const LABELS = /^[\w-]+(?:\.[\w-]+)*$/;

/** Tells whether a URL's host is this very machine. In: `hostname`, as `URL` writes it. Refuses: never. Source: decision I10. */
export function isLoopbackHost(hostname: string): boolean {
  const suffix = ".localhost";
  return LOOPBACK.test(hostname) || (hostname.endsWith(suffix) && LABELS.test(hostname.slice(0, -suffix.length)));
}

/**
 * Reads the address to which a signature is to be sent, before anything is signed.
 *
 * Out: the address as a URL writes it.
 * Refuses: INVALID_REDIRECT for anything but https, or http on this very machine, and for user names in it.
 * Source: decisions I10, L11.
 */
export function readCallbackAddress(text: string | undefined): string {
  const url = text === undefined ? null : URL.parse(text);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackHost(url.hostname));
  if (url !== null && isSafe && url.username === "" && url.password === "" && url.hash === "") return url.href;
  throw new WalletError(
    "INVALID_REDIRECT",
    `The answer would go to ${text === undefined ? "no address" : JSON.stringify(text.slice(0, 200))}, so nothing is signed. A callback is an https address, or http on this machine.`,
  );
}
