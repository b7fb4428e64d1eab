import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { median } from "./statistics.ts";

const WRITES = 40;

/** How long one durable write of 8 kB takes in a directory: the median of some, in microseconds. */
export function probeFsyncUs(directory: string): number {
  const file = join(directory, `fsync-probe-${process.pid}`);
  const block = Buffer.alloc(8_192, 1);
  const handle = openSync(file, "w");
  try {
    return median(
      Array.from({ length: WRITES }, () => {
        const startMs = performance.now();
        writeSync(handle, block, 0, block.length, 0);
        fdatasyncSync(handle);
        return (performance.now() - startMs) * 1_000;
      }),
    );
  } finally {
    closeSync(handle);
    rmSync(file);
  }
}
