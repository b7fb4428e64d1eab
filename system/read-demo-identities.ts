import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EName } from "@dataspace/protocol/ename";
import type { PrivateJwk } from "@dataspace/wallet/wallet-key";

/** A demo person; `privateKey` is the key of that person's wallet. */
export interface DemoIdentity {
  readonly name: string;
  readonly ename: EName;
  readonly privateKey: PrivateJwk;
}

/** The file of the demo people in a data directory. */
export const DEMO_IDENTITIES_FILE = "demo-identities.json";

/** Reads the demo people of a data directory; undefined before their first start. Refuses: never. Source: decision P5. */
export function readDemoIdentities(dataDirectory: string): readonly DemoIdentity[] | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDirectory, DEMO_IDENTITIES_FILE), "utf8")) as DemoIdentity[];
  } catch {
    return undefined; // the first start
  }
}
