import { isLoopbackHost } from "@dataspace/protocol/loopback-host";
import { parseUrl } from "@dataspace/protocol/parse-url";
import { WalletError } from "./wallet-error.ts";

/**
 * Validates the address to which a signature will be sent, before anything is signed.
 *
 * Out: the address as a URL writes it.
 * Refuses: INVALID_REDIRECT for anything but https, or http on this machine, and for user names in it.
 * Source: decisions I10, L11.
 */
export function readCallbackAddress(text: string | undefined): string {
  const url = text === undefined ? undefined : parseUrl(text);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackHost(url.hostname));
  if (url !== undefined && isSafe && url.username === "" && url.password === "" && url.hash === "") return url.href;
  throw new WalletError(
    "INVALID_REDIRECT",
    `The answer would go to ${text === undefined ? "no address" : JSON.stringify(text.slice(0, 200))}, so nothing is signed. A callback is an https address, or http on this machine.`,
  );
}
