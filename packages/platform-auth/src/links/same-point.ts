/** Checks whether two points are the same key; an absent one never is. Refuses: never. Source: decision I9. */
export function isSamePoint(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one === undefined || other === undefined || one.length !== other.length) return false;
  return one.every((byte, index) => byte === other[index]);
}
