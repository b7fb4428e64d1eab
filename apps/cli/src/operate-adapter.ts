import path from "node:path";
import { pathToFileURL } from "node:url";
import { backfill } from "@dataspace/adapter/operate/backfill";
import { catchUp } from "@dataspace/adapter/operate/catch-up";
import { diffTable } from "@dataspace/adapter/operate/diff-table";
import { examine } from "@dataspace/adapter/operate/doctor";
import { beginInspection } from "@dataspace/adapter/sync/inspection";
import { findTable } from "@dataspace/adapter/sync/table-access";
import { StartupError } from "@dataspace/service-kit/startup-error";
import type { Adapter } from "@dataspace/adapter/create-adapter";
import { printable } from "./printable.ts";
import { startProgress } from "./start-progress.ts";

/** Prints how rows of a table differ from their records; with differences the process ends with 1. Refuses: StartupError. */
export async function printDifferences(module: string, table: string): Promise<void> {
  beginInspection();
  await using adapter = await loadAdapter(module);
  let count = 0;
  for await (const { localId, kind, fields } of diffTable(adapter.sync, table)) {
    count += 1;
    console.log(printable(`${table} ${localId}: ${kind} ${fields.join(", ")}`.trimEnd()));
  }
  console.log(`${count} differences`);
  if (count > 0) process.exitCode = 1;
}

/** Sends the rows of a table that have no record, and shows how far it is. Refuses: StartupError. */
export async function runBackfill(module: string, table: string, dryRun: boolean): Promise<void> {
  if (dryRun) beginInspection();
  await using adapter = await loadAdapter(module);
  const total = await findTable(adapter.sync.tables, table)?.count?.();
  using progress = startProgress("backfill", total);
  for await (const { seen, noted, withoutOwner } of backfill(adapter.sync, table, { dryRun, flush: adapter.flush })) {
    const text = `${noted} ${dryRun ? "to send" : "sent"}, ${withoutOwner} without an owner`;
    progress.add(seen - progress.done(), text);
  }
  const { waiting, parked } = await adapter.status();
  console.log(`${waiting} wait, ${parked} are parked`);
}

/** Applies the events since the last time, and shows how far it is. Refuses: StartupError. */
export async function runCatchUp(
  module: string,
  { apiKey, ...feed }: { readonly awarenessUrl: string; readonly dryRun: boolean; readonly apiKey: string | undefined },
): Promise<void> {
  if (feed.dryRun) beginInspection();
  await using adapter = await loadAdapter(module);
  using progress = startProgress("catch-up", undefined);
  const authorization = apiKey && `Bearer ${apiKey}`;
  let hasGap = false;
  for await (const { applied, passedOver, refused, gap } of catchUp(adapter.sync, { ...feed, fetch, authorization })) {
    const text = `${passedOver} known already, ${refused} refused`;
    progress.add(applied - progress.done(), text);
    hasGap = gap;
  }
  if (hasGap) console.error("The feed no longer has all events since the last time: run diff.");
}

/** Prints what the adapter needs and has; where something is amiss the process ends with 1. Refuses: StartupError. */
export async function printFindings(module: string): Promise<void> {
  beginInspection();
  await using adapter = await loadAdapter(module);
  for (const { what, isWell, says } of await examine(adapter.sync)) {
    console.log(printable(`${isWell ? "ok   " : "fault"} ${what}: ${says}`));
    if (!isWell) process.exitCode = 1;
  }
}

async function loadAdapter(module: string): Promise<Adapter<unknown>> {
  const { adapter } = (await import(pathToFileURL(path.resolve(module)).href)) as {
    readonly adapter?: Adapter<unknown>;
  };
  if (adapter?.sync === undefined)
    throw new StartupError(`${module} exports no adapter; export what createAdapter gave as \`adapter\`.`);
  return adapter;
}
