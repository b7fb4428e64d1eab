import { Resolver } from "node:dns/promises";
import { LRUCache } from "lru-cache";
import type { ResolveHost } from "./guarded-target.ts";
import { createHostsFile } from "./hosts-file.ts";
import { createShares } from "./shares.ts";

/** Where names are looked up: the hosts file, and name servers (`address:port`) instead of those of the system. */
export interface HostResolverConfig {
  readonly hostsPath?: string;
  readonly servers?: readonly string[];
}

/** With the wait for a place, a lookup takes at most 4.5 s: less than the 5 s of E6. */
const LOOKUP_TIMEOUT_MS = 3_000;
const WAIT_TIMEOUT_MS = 1_500;
/** How long to wait for a name server's first answer; the second and last query waits twice as long. */
const FIRST_TRY_MS = 900;
const LOOKUPS_PER_REQUESTER = 16;
const MOST_LOOKUPS = 512;
const MOST_KEPT = 2_000;
const KEPT_MS = 5_000;

/**
 * Makes the lookup of host names. It queries name servers over its own sockets and never calls getaddrinfo, whose four
 * threads the whole process shares. So a name whose server never answers delays nobody else.
 *
 * The hosts file comes first; then `localhost` is loopback; then A and AAAA records are queried. The search list of
 * resolv.conf is not applied, so names must be full names. One requester has at most 16 concurrent lookups, all
 * together 512; without a requester the name counts as one. Equal names share one lookup and its result for 5 s; the
 * latest 2,000 results are cached.
 *
 * Refuses: rejects when no name server answers within 3 s, none knows an address, or no place for the lookup is free
 * within 1.5 s.
 * Source: decisions E6, V25; RFC 6761 section 6.3.
 */
export function createHostResolver({ hostsPath = "/etc/hosts", servers }: HostResolverConfig = {}): ResolveHost {
  const findInHostsFile = createHostsFile(hostsPath);
  const outcomes = new LRUCache<string, Promise<readonly string[]>>({ max: MOST_KEPT, ttl: KEPT_MS });
  const shares = createShares({ total: MOST_LOOKUPS, each: LOOKUPS_PER_REQUESTER });

  async function askOnce(name: string): Promise<readonly string[]> {
    const known = outcomes.get(name);
    if (known !== undefined) return known;
    const asked = askServers(name, servers);
    outcomes.set(name, asked);
    return asked;
  }

  return async (hostname, requester = hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, "");
    const listed = await findInHostsFile(name);
    if (listed !== undefined) return listed;
    if (name === "localhost" || name.endsWith(".localhost")) return ["127.0.0.1", "::1"];
    if (outcomes.has(name)) return askOnce(name);
    const giveBack = await shares.take({ holder: requester, amount: 1, timeoutMs: WAIT_TIMEOUT_MS });
    if (giveBack === undefined) throw new Error("too many lookups are under way");
    try {
      return await askOnce(name);
    } finally {
      giveBack();
    }
  };
}

async function askServers(hostname: string, servers: readonly string[] | undefined): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: FIRST_TRY_MS, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), LOOKUP_TIMEOUT_MS);
  try {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    const failure = answers.find((answer) => answer.status === "rejected");
    if (addresses.length === 0 && failure !== undefined) throw failure.reason;
    return addresses;
  } finally {
    clearTimeout(timer);
  }
}
