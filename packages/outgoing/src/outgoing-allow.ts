import { parseUrl } from "@dataspace/protocol/parse-url";
import ipaddr from "ipaddr.js";

/** A parsed IP address; IPv4 inside IPv6 is unwrapped. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The targets beside the public network that an operator allows. */
export interface OutgoingAllow {
  /** `host:port` as a URL spells the host, so with brackets around IPv6. */
  readonly targets: ReadonlySet<string>;
  readonly ranges: readonly (readonly [Address, number])[];
}

/**
 * Parses a comma-separated list of `host:port` and of address ranges such as `10.0.0.0/8`.
 *
 * Out: the list, or what is wrong with its first bad entry. Refuses: never. Source: decision E6.
 */
export function readOutgoingAllow(text: string): { readonly value: OutgoingAllow } | { readonly fault: string } {
  const targets = new Set<string>();
  const ranges: (readonly [Address, number])[] = [];
  for (const entry of text.split(",").map((part) => part.trim())) {
    if (entry === "") continue;
    const range = readRange(entry);
    const target = range === undefined ? readTarget(entry) : undefined;
    if (range !== undefined) ranges.push(range);
    else if (target !== undefined) targets.add(target);
    else return { fault: `lists host:port and address ranges such as 10.0.0.0/8, not ${JSON.stringify(entry)}` };
  }
  return { value: { targets, ranges } };
}

/** Checks whether an address is in one of the ranges. Refuses: never. */
export function isInRanges(address: Address, ranges: OutgoingAllow["ranges"]): boolean {
  return ranges.some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits));
}

function readRange(entry: string): readonly [Address, number] | undefined {
  if (!ipaddr.IPv4.isValidCIDRFourPartDecimal(entry) && !ipaddr.IPv6.isValidCIDR(entry)) return undefined;
  const [network, bits] = ipaddr.parseCIDR(entry);
  // Addresses are unwrapped before the comparison, so a range of wrapped addresses would never match.
  const isWrapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress();
  return isWrapped ? undefined : [network, bits];
}

function readTarget(entry: string): string | undefined {
  const [, host = "", port = ""] = /^([^/?#@\\]+):(\d{1,5})$/.exec(entry) ?? [];
  const url = parseUrl(`https://${host}`);
  const isTarget =
    url !== undefined && url.hostname !== "" && url.port === "" && Number(port) >= 1 && Number(port) <= 65535;
  return isTarget ? `${url.hostname}:${Number(port)}` : undefined;
}
