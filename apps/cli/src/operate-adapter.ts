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
import { type Outcome, printOutcome } from "./print-outcome.ts";
import { startProgress } from "./start-progress.ts";

/**
 * Prints how rows of a table differ from their records, one line each: a table may have more differences than fit in memory.
 *
 * Out: their number; not ok with any. Refuses: StartupError.
 */
export async function printDifferences(
  module: string,
  { table, asJson }: { readonly table: string; readonly asJson: boolean },
): Promise<Outcome> {
  beginInspection();
  await using adapter = await loadAdapter(module);
  let count = 0;
  for await (const { localId, kind, fields } of diffTable(adapter.sync, table)) {
    count += 1;
    const lines = [`${table} ${localId}: ${kind} ${fields.join(", ")}`.trimEnd()];
    printOutcome({ lines, json: { table, localId, kind, fields } }, asJson);
  }
  return { lines: [`${count} differences`], json: { differences: count }, ok: count === 0 };
}

/** Sends the rows of a table that have no record, and shows how far it is. Refuses: StartupError. */
export async function runBackfill(module: string, table: string, dryRun: boolean): Promise<Outcome> {
  if (dryRun) beginInspection();
  await using adapter = await loadAdapter(module);
  const total = await findTable(adapter.sync.tables, table)?.count?.();
  using progress = startProgress("backfill", total);
  let counts = { seen: 0, noted: 0, withoutOwner: 0 };
  for await (const { seen, noted, withoutOwner } of backfill(adapter.sync, table, { dryRun, flush: adapter.flush })) {
    const text = `${noted} ${dryRun ? "to send" : "sent"}, ${withoutOwner} without an owner`;
    progress.add(seen - progress.done(), text);
    counts = { seen, noted, withoutOwner };
  }
  const { waiting, parked } = await adapter.status();
  return { lines: [`${waiting} wait, ${parked} are parked`], json: { ...counts, dryRun, waiting, parked } };
}

/** Applies the events since the last time, and shows how far it is. Refuses: StartupError. */
export async function runCatchUp(
  module: string,
  { apiKey, ...feed }: { readonly awarenessUrl: string; readonly dryRun: boolean; readonly apiKey: string | undefined },
): Promise<Outcome> {
  if (feed.dryRun) beginInspection();
  await using adapter = await loadAdapter(module);
  using progress = startProgress("catch-up", undefined);
  const authorization = apiKey && `Bearer ${apiKey}`;
  let counts = { applied: 0, passedOver: 0, refused: 0, gap: false };
  for await (const { applied, passedOver, refused, gap } of catchUp(adapter.sync, { ...feed, fetch, authorization })) {
    const text = `${passedOver} known already, ${refused} refused`;
    progress.add(applied - progress.done(), text);
    counts = { applied, passedOver, refused, gap };
  }
  if (counts.gap) console.error("The feed no longer has all events since the last time: run diff.");
  return { lines: [], json: counts };
}

/** Finds what the adapter needs and has. Out: not ok where something is amiss. Refuses: StartupError. */
export async function findFaults(module: string): Promise<Outcome> {
  beginInspection();
  await using adapter = await loadAdapter(module);
  const findings = await examine(adapter.sync);
  return {
    lines: findings.map(({ what, isWell, says }) => `${isWell ? "ok   " : "fault"} ${what}: ${says}`),
    json: { findings: findings.map(({ what, isWell, says }) => ({ what, ok: isWell, message: says })) },
    ok: findings.every(({ isWell }) => isWell),
  };
}

async function loadAdapter(module: string): Promise<Adapter<unknown>> {
  const { adapter } = (await import(pathToFileURL(path.resolve(module)).href)) as {
    readonly adapter?: Adapter<unknown>;
  };
  if (adapter?.sync === undefined)
    throw new StartupError(`${module} exports no adapter; export what createAdapter gave as \`adapter\`.`);
  return adapter;
}
