import { readFile } from "node:fs/promises";
import { loadMappings } from "@dataspace/adapter/load-mappings";
import { InvalidMappings } from "@dataspace/adapter/mapping/mapping-fault";
import { tryRow } from "@dataspace/adapter/operate/try-row";
import { StartupError } from "@dataspace/service-kit/startup-error";
import type { Mappings } from "@dataspace/adapter/mapping/mapping";
import { printable } from "./printable.ts";

/** Prints every mapping of a directory with its warnings. Refuses: StartupError with every fault. */
export async function checkMappings(directory: string): Promise<void> {
  const { list } = await readMappings(directory);
  for (const { file, tableName, schemaId, entries, warnings, readOnly } of list) {
    console.log(`${file}: ${tableName} <-> ${schemaId}, ${entries.length} fields${readOnly ? ", read only" : ""}`);
    for (const warning of warnings) console.log(`  warning: ${warning}`);
  }
  console.log(`${list.length} mappings, no faults`);
}

/** A row to be tried. */
export interface MappingTrial {
  readonly name: "test" | "explain";
  readonly directory: string;
  readonly table: string;
  readonly file: string;
}

/** Prints what a mapping makes of a row. With losses the process ends with 1. Refuses: StartupError. */
export async function tryMapping({ name, directory, table, file }: MappingTrial): Promise<void> {
  const { byTable } = await readMappings(directory);
  const mapping = byTable.get(table);
  if (mapping === undefined)
    throw new StartupError(`No mapping has the tableName ${table}; there are ${[...byTable.keys()].join(", ")}.`);
  const { payload, back, lost, owner } = tryRow(mapping, await readRow(file));
  if (name === "explain") {
    for (const { path, ename } of owner) console.log(printable(`${path}: ${ename ?? "no eName"}`));
    const found = owner.at(-1)?.ename;
    console.log(found === undefined ? "The row has no owner, so it is not sent." : `The row belongs to ${found}.`);
    return;
  }
  console.log(printable(`payload: ${JSON.stringify(payload, undefined, 2)}`));
  console.log(printable(`back: ${JSON.stringify(back, undefined, 2)}`));
  for (const { key, why } of lost) console.log(`lost: ${key}: ${why}`);
  console.log(lost.length === 0 ? "Nothing is lost." : `${lost.length} fields lose something.`);
  if (lost.length > 0) process.exitCode = 1;
}

async function readMappings(directory: string): Promise<Mappings> {
  try {
    return await loadMappings(directory);
  } catch (error) {
    if (error instanceof InvalidMappings) throw new StartupError(error.message);
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      throw new StartupError(`There is no directory ${directory}.`);
    throw error;
  }
}

async function readRow(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const row: unknown = JSON.parse(await readFile(file, "utf8"));
    if (typeof row === "object" && row !== null && !Array.isArray(row)) return row as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new StartupError(`${file} is not a file with one row as a JSON object.`);
}
