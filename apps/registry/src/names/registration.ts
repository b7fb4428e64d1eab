import { withoutTrailingSlashes } from "@dataspace/protocol/base-address";
import type { EName } from "@dataspace/protocol/ename";

/** A registration of an eName: the address of its vault and the vault instance. */
export interface Registration {
  readonly id: number;
  readonly ename: EName;
  readonly uri: string;
  readonly vault: string;
}

const MAX_ADDRESS_LENGTH = 2048;

/**
 * Reads a text as an address that a path can follow: http or https, without user information, query or fragment.
 *
 * Out: the address without a trailing slash, or undefined. Refuses: never. Source: decision X2.
 */
export function textToBaseAddress(text: string): string | undefined {
  const url = text.length <= MAX_ADDRESS_LENGTH ? URL.parse(text) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  const isBare = `${url.username}${url.password}${url.search}${url.hash}` === "";
  return isBare ? withoutTrailingSlashes(url.href) : undefined;
}
