// `rooms.ts --check` (also without an argument) checks the sources and ARCHITECTURE.md against tools/rooms-table.ts;
// `rooms.ts --write` writes ARCHITECTURE.md.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { renderArchitecture } from "./architecture-page.ts";
import { findRoomFaults } from "./room-faults.ts";
import { rooms } from "./rooms-table.ts";

const root = path.dirname(import.meta.dirname);
const page = path.join(root, "ARCHITECTURE.md");
const text = renderArchitecture(rooms);

if (process.argv.includes("--write")) {
  writeFileSync(page, text);
} else {
  const isCurrent = existsSync(page) && readFileSync(page, "utf8") === text;
  const stale = "ARCHITECTURE.md is not what the table says; run: node scripts/go.mjs tools/rooms.ts --write";
  const faults = [...findRoomFaults(root, rooms), ...(isCurrent ? [] : [stale])];
  for (const fault of faults) console.log(fault);
  if (faults.length > 0) process.exitCode = 1;
}
