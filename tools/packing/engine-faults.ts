import { readFileSync } from "node:fs";
import path from "node:path";
import { satisfies } from "semver";

/** A package in a lock of npm. */
interface LockedPackage {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly engines?: { readonly node?: string };
}

type Lock = Readonly<Record<string, LockedPackage>>;

/**
 * Finds the packages that the published ones bring with them and that do not promise to run on a Node.
 *
 * In: a directory in which they are installed, and versions of Node. Out: a sentence for each. Refuses: never.
 */
export function findEngineFaults(directory: string, versions: readonly string[]): readonly string[] {
  const lock = (JSON.parse(readFileSync(path.join(directory, "package-lock.json"), "utf8")) as { packages: Lock })
    .packages;
  const needed = new Set(Object.keys(lock).filter((place) => place.startsWith("node_modules/@dataspace/")));
  // A set yields what is added while it is read.
  for (const place of needed) {
    for (const name of Object.keys(lock[place]?.dependencies ?? {})) needed.add(findPlace(lock, place, name));
  }
  return [...needed].flatMap((place) => {
    const { engines, version } = lock[place] ?? {};
    const refused = versions.filter((one) => !satisfies(one, engines?.node ?? "*"));
    return refused.map((one) => `${place} ${version} needs Node ${engines?.node} and does not promise ${one}`);
  });
}

/** Where a package finds another: beside it, or further out. */
function findPlace(lock: Lock, from: string, name: string): string {
  const parts = from.split("/node_modules/");
  for (let length = parts.length; length > 0; length--) {
    const place = `${parts.slice(0, length).join("/node_modules/")}/node_modules/${name}`;
    if (place in lock) return place;
  }
  return `node_modules/${name}`;
}
