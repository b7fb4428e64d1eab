import { readFile } from "node:fs/promises";
import { loadMappings } from "@dataspace/adapter/load-mappings";
import { InvalidMappings } from "@dataspace/adapter/mapping/mapping-fault";
import { tryRow } from "@dataspace/adapter/operate/try-row";
import { StartupError } from "@dataspace/service-kit/startup-error";
import type { Mappings } from "@dataspace/adapter/mapping/mapping";
import type { Outcome } from "./print-outcome.ts";

/** Lists every mapping of a directory with its warnings. Refuses: StartupError with every fault. */
export async function checkMappings(directory: string): Promise<Outcome> {
  const { list } = await readMappings(directory);
  const lines = list.flatMap(({ file, tableName, schemaId, entries, warnings, readOnly }) => [
    `${file}: ${tableName} <-> ${schemaId}, ${entries.length} fields${readOnly ? ", read only" : ""}`,
    ...warnings.map((warning) => `  warning: ${warning}`),
  ]);
  const mappings = list.map(({ file, tableName, schemaId, entries, warnings, readOnly }) => {
    return { file, tableName, schemaId, fields: entries.length, readOnly, warnings };
  });
  return { lines: [...lines, `${list.length} mappings, no faults`], json: { mappings } };
}

/** A row to be tried. */
export interface MappingTrial {
  readonly name: "test" | "explain";
  readonly directory: string;
  readonly table: string;
  readonly file: string;
}

/** Tells what a mapping makes of a row. Out: not ok where the row loses something. Refuses: StartupError. */
export async function tryMapping({ name, directory, table, file }: MappingTrial): Promise<Outcome> {
  const { byTable } = await readMappings(directory);
  const mapping = byTable.get(table);
  if (mapping === undefined)
    throw new StartupError(`No mapping has the tableName ${table}; there are ${[...byTable.keys()].join(", ")}.`);
  const { payload, back, lost, owner } = tryRow(mapping, await readRow(file));
  if (name === "explain") return explainOwner(owner);
  const lines = [
    `payload: ${JSON.stringify(payload, undefined, 2)}`,
    `back: ${JSON.stringify(back, undefined, 2)}`,
    ...lost.map(({ key, why }) => `lost: ${key}: ${why}`),
    lost.length === 0 ? "Nothing is lost." : `${lost.length} fields lose something.`,
  ];
  return { lines, json: { payload, back, lost }, ok: lost.length === 0 };
}

function explainOwner(owner: readonly { readonly path: string; readonly ename: string | undefined }[]): Outcome {
  const found = owner.at(-1)?.ename;
  const steps = owner.map(({ path, ename }) => `${path}: ${ename ?? "no eName"}`);
  const conclusion = found === undefined ? "The row has no owner, so it is not sent." : `The row belongs to ${found}.`;
  return { lines: [...steps, conclusion], json: { owner: found ?? null, steps: owner } };
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
