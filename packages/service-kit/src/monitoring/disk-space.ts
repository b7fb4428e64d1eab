import { statfsSync } from "node:fs";
import type { ReadinessCheck } from "./readiness.ts";

/** PostgreSQL needs a new WAL segment of 16 MB before a disk is full, so writes fail below this. */
export const DISK_FLOOR_BYTES: number = 64 * 1_048_576;

/** Returns the free bytes of a directory's file system. Refuses: the system's error for a directory that is absent. */
export function readFreeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

/**
 * Makes a check that a directory's file system has at least 64 MB free, for `GET /readyz`.
 *
 * Out: the fault names the directory. Refuses: never. Source: decision P6; issue "a disk near full".
 */
export function createDiskCheck(
  directory: string,
  freeBytes: (directory: string) => number = readFreeBytes,
): ReadinessCheck {
  return () => {
    try {
      const free = freeBytes(directory);
      if (free >= DISK_FLOOR_BYTES) return undefined;
      return `Only ${Math.floor(free / 1_048_576)} MB are free at ${directory}; at least 64 MB are needed.`;
    } catch (error) {
      return `The directory ${directory} cannot be read (${(error as NodeJS.ErrnoException).code}).`;
    }
  };
}
