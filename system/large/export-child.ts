// Exports a large vault into a file and verifies it, in a process with a small heap; `runExport` starts it.
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { systemClock } from "@dataspace/service-kit/clock";
import { noBlobStore } from "@dataspace/vault/files/no-blob-store";
import { exportVault } from "@dataspace/vault/leaving/export-vault";
import { verifyArchive } from "@dataspace/vault/leaving/verify-archive";
import { LARGE_OWNER } from "./fill-vault.ts";
import { openLarge } from "./open-large.ts";

/** What the process reports on one line. */
export interface ExportedReport {
  readonly records: number;
  readonly versions: number;
  readonly exportSeconds: number;
  readonly verifySeconds: number;
  readonly peakMib: number;
}

const SAMPLE_MS = 100;
const [url = "", file = ""] = process.argv.slice(2);

let peakBytes = 0;
const sampling = setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
}, SAMPLE_MS);

const seconds = (sinceMs: number): number => Math.round((performance.now() - sinceMs) / 100) / 10;
const exportedMs = performance.now();
{
  await using database = openLarge(url, "large-export", 1);
  await using handle = await open(file, "w");
  const deps = { database, blobs: noBlobStore, clock: systemClock };
  if (!(await exportVault(deps, LARGE_OWNER, (part) => handle.writeFile(part)))) throw new Error("there is no vault");
}
const exportSeconds = seconds(exportedMs);
const verifiedMs = performance.now();
const { manifest } = await verifyArchive(createReadStream(file), { owner: LARGE_OWNER });
clearInterval(sampling);
const report: ExportedReport = {
  records: manifest.kinds.record.count,
  versions: manifest.kinds.version.count,
  exportSeconds,
  verifySeconds: seconds(verifiedMs),
  peakMib: Math.round(peakBytes / 1_048_576),
};
console.log(JSON.stringify(report));
