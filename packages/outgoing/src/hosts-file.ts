import { readFile } from "node:fs/promises";

/** Finds the addresses of a host name in the machine's hosts file; undefined where it has none. */
export type FindInHostsFile = (hostname: string) => Promise<readonly string[] | undefined>;

const KEPT_MS = 5_000;

/**
 * Makes the lookup in a hosts file, which is read again when the last read is more than 5 s ago. An unreadable file is
 * empty.
 *
 * In: names in lower case. Refuses: never. Source: RFC 952; hosts(5).
 */
export function createHostsFile(path: string): FindInHostsFile {
  let table: Promise<ReadonlyMap<string, readonly string[]>> | undefined;
  let readAtMs = 0;
  return async (hostname) => {
    if (table === undefined || performance.now() - readAtMs > KEPT_MS) {
      readAtMs = performance.now();
      table = readFile(path, "utf8").then(parseHosts, () => new Map());
    }
    return (await table).get(hostname);
  };
}

function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const addressesByName = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address, ...names] = (line.split("#", 1)[0] ?? "").split(/\s/).filter((word) => word !== "");
    if (address === undefined) continue;
    for (const name of names) {
      const addresses = addressesByName.get(name.toLowerCase());
      if (addresses === undefined) addressesByName.set(name.toLowerCase(), [address]);
      else addresses.push(address);
    }
  }
  return addressesByName;
}
