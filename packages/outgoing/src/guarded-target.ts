import { isIP } from "node:net";
import { parseUrl } from "@dataspace/protocol/parse-url";
import ipaddr from "ipaddr.js";
import { type Address, isInRanges, type OutgoingAllow } from "./outgoing-allow.ts";
import { OutgoingError } from "./outgoing-error.ts";

/** Finds every address of a host name. `requester` is who caused the lookup, where lookups are counted. */
export type ResolveHost = (hostname: string, requester?: string) => Promise<readonly string[]>;

/** A checked target: the URL, and the only addresses to which a connection may be made. */
export interface GuardedTarget {
  readonly url: URL;
  readonly addresses: readonly string[];
}

const MAX_URL_CHARS = 2048;
const GLOBAL_UNICAST: readonly [Address, number] = [ipaddr.IPv6.parse("2000::"), 3];

/**
 * Decides whether a URL from outside may be requested, and resolves its host once.
 *
 * In: `allow`, the operator's list. Out: the checked addresses; no others may be connected to. In general the URL must
 * be https on port 443, and every address of the host must be public. A listed host and port, or a host whose addresses
 * are all in listed ranges, may have any port and http.
 * Refuses: OutgoingError `forbidden_target`, also for user names and passwords, other schemes and over 2,048
 * characters; `unreachable` for a host that has no address. Source: decision E6.
 */
export async function findGuardedTarget(
  text: string,
  deps: { readonly resolveHost: ResolveHost },
  allow: OutgoingAllow,
): Promise<GuardedTarget> {
  const url = text.length <= MAX_URL_CHARS ? parseUrl(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new OutgoingError("forbidden_target", "Only http and https addresses without user name may be requested.");
  }
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const isListed = allow.targets.has(`${url.hostname}:${port}`);
  const isOrdinary = url.protocol === "https:" && port === "443";
  // Before any lookup, DNS included.
  if (!isListed && !isOrdinary && allow.ranges.length === 0) throw forbidden(url);
  const addresses = (await resolveHost(url, deps)).map((address) => parseAddress(address, url));
  const isAllowed =
    isListed ||
    addresses.every((address) => isInRanges(address, allow.ranges)) ||
    (isOrdinary && addresses.every(isPublic));
  if (!isAllowed) throw forbidden(url);
  return { url, addresses: addresses.map(String) };
}

async function resolveHost(url: URL, deps: { readonly resolveHost: ResolveHost }): Promise<readonly string[]> {
  const literal = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(literal) !== 0) return [literal];
  try {
    const addresses = await deps.resolveHost(url.hostname);
    if (addresses.length > 0) return addresses;
  } catch (error) {
    throw new OutgoingError("unreachable", `${url.origin} has no address.`, error);
  }
  throw new OutgoingError("unreachable", `${url.origin} has no address.`);
}

function parseAddress(text: string, url: URL): Address {
  if (isIP(text) === 0) throw forbidden(url);
  return ipaddr.process(text);
}

function isPublic(address: Address): boolean {
  const isGlobal = address.kind() === "ipv4" || isInRanges(address, [GLOBAL_UNICAST]);
  return isGlobal && address.range() === "unicast";
}

function forbidden(url: URL): OutgoingError {
  return new OutgoingError(
    "forbidden_target",
    `${url.origin} is not requested: only public addresses over https on port 443 are allowed, and those that DS_OUTGOING_ALLOW lists.`,
  );
}
