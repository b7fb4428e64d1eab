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
