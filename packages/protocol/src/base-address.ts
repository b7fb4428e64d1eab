/**
 * Removes the slashes at the end of an address, so that a path may follow.
 *
 * Out: the address without them. The time is linear in their number. Refuses: never. Source: decision X2.
 */
export function withoutTrailingSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === "/") end -= 1;
  return address.slice(0, end);
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
