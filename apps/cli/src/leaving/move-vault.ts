import { readFile, rm } from "node:fs/promises";
import { createRegistryClient } from "@dataspace/clients/registry-client";
import { UpstreamError } from "@dataspace/clients/upstream-error";
import { textToBaseAddress } from "@dataspace/protocol/base-address";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { readArchive } from "@dataspace/vault/archive/read-archive";
import { toBatches } from "@dataspace/vault/leaving/import-batches";
import { verifyArchive } from "@dataspace/vault/leaving/verify-archive";
import type { Fetch } from "@dataspace/clients/timed-fetch";
import type { EName } from "@dataspace/protocol/ename";
import type { ArchiveManifest } from "@dataspace/vault/archive/archive-format";
import type { Outcome } from "../print-outcome.ts";
import { readParts, sizeOf, startProgress, writeWhole } from "./archive-file.ts";
import type { OwnerCalls } from "./owner-calls.ts";

/** A move: whose vault, from where to where, and the file that holds the archive meanwhile. */
export interface Move {
  readonly owner: EName;
  readonly to: string;
  readonly registryUrl: string;
  readonly file: string;
  /** Whether the owner named the file: it then stays after the move. */
  readonly keepsFile: boolean;
  /** The code of the new place's operator, where it asks for one. */
  readonly code: string | undefined;
  readonly json: boolean;
}

interface MoveDeps {
  readonly fetch: Fetch;
  readonly calls: OwnerCalls;
  /** Called before each step. */
  readonly onStep: (step: string) => void;
}

interface Standing {
  readonly state: string;
  readonly to?: string | null;
  readonly position?: number | null;
  readonly moveId?: string | null;
}

/**
 * Moves a vault to another host. The vault becomes read-only, and its archive is verified and imported at the new place.
 * That place compares counts and hashes. Then the address changes at the registry, the new place opens and the old one closes.
 *
 * Each step can be repeated, so a move that was interrupted goes on when it is run again. Refuses: UpstreamError with
 * the refusal of a place; ArchiveError. Source: decision V18.
 */
export async function moveVault(deps: MoveDeps, move: Move): Promise<Outcome> {
  const { calls, onStep } = deps;
  const { owner, registryUrl } = move;
  const to = readPlace(move.to);
  const address = (await resolveOwner(deps, move)).uri;
  if (address !== to) {
    onStep(`1/6 read-only: ${address} takes no more writes`);
    const { moveId } = await calls.call<Standing>(address, "POST /move", { to });
    const archive = await fetchArchive(deps, move, { from: address, moveId });
    await sendArchive(deps, { ...move, to }, archive);
    onStep("5/6 registry: the address changes");
    await calls.changeAddress(registryUrl, to);
  }
  onStep("6/6 opening the new place, closing the old one");
  await calls.call(to, "POST /import/activate", {});
  const from = address === to ? (await readNote(move.file))?.from : address;
  if (from !== undefined) await calls.call(from, "POST /move/finish", {});
  const archive = await removeArchive(move);
  const lines = [`The vault of ${owner} is at ${to}. The old place answers with the new address.`, ...archive.lines];
  return { lines, json: { owner, from: from ?? null, to, state: "moved", archive: archive.path } };
}

// It holds everything that the owner has, unencrypted. The new place has compared it, so it is not needed any more.
async function removeArchive({ file, keepsFile }: Move): Promise<Removed> {
  await rm(noteOf(file), { force: true });
  if (!keepsFile) await rm(file, { force: true });
  if (!(await isFile(file))) return { lines: [], path: null };
  return { lines: [`${file} is a copy of the whole vault, unencrypted. Store it safely, or delete it.`], path: file };
}

interface Removed {
  readonly lines: readonly string[];
  readonly path: string | null;
}

async function isFile(file: string): Promise<boolean> {
  return sizeOf(file).then(
    () => true,
    () => false,
  );
}

function readPlace(text: string): string {
  const place = textToBaseAddress(text);
  if (place !== undefined) return place;
  throw new StartupError(`--to: ${text} is not an http or https address without user, query and fragment.`);
}

/**
 * Undoes a move that the registry does not know of: the old place first, which refuses where the registry names the new one.
 * Only then the import is discarded, so no answer leaves the owner without a vault. It can be repeated.
 *
 * Refuses: as `moveVault`. Source: decision V18.
 */
export async function undoMove(deps: MoveDeps, move: Move): Promise<Outcome> {
  const { calls } = deps;
  const { uri } = await resolveOwner(deps, move);
  const to = readPlace(move.to);
  if (uri === to) throw new StartupError(`The registry names ${to} already; finish the move by running it again.`);
  await calls.call(uri, "DELETE /move");
  await calls.call(to, "DELETE /import").catch((error: unknown) => {
    if (!(error instanceof UpstreamError) || error.refusal?.status !== 404) throw error;
  });
  const archive = await removeArchive(move);
  const lines = [`The vault of ${move.owner} stays at ${uri} and takes writes again.`, ...archive.lines];
  return { lines, json: { owner: move.owner, at: uri, state: "active", archive: archive.path } };
}

async function resolveOwner({ fetch }: MoveDeps, { owner, registryUrl }: Move): Promise<{ readonly uri: string }> {
  const found = await createRegistryClient({ fetch }, { registryUrl }).resolve(owner);
  if (found === undefined) throw new StartupError(`The registry ${registryUrl} knows no vault of ${owner}.`);
  return found;
}

interface VerifiedFile {
  readonly manifest: ArchiveManifest;
  readonly entries: number;
}

interface Source {
  readonly from: string;
  readonly moveId: string | null | undefined;
}

// An archive that an earlier run of this move left is used again: the vault has been read-only since. One of another
// moment is not, since it would lose what was written meanwhile.
async function fetchArchive(deps: MoveDeps, move: Move, source: Source): Promise<VerifiedFile> {
  const { calls, onStep } = deps;
  const { file, json } = move;
  if ((await readNote(file))?.moveId !== source.moveId) {
    onStep(`2/6 exporting to ${file}`);
    using progress = startProgress("exporting", 0, json);
    await writeWhole(file, async (put) => {
      for await (const part of calls.download(source.from)) {
        progress.add(part.length);
        await put(part);
      }
    });
    await writeWhole(noteOf(file), (put) => put(Buffer.from(JSON.stringify(source))));
  }
  onStep("3/6 verifying the archive");
  using progress = startProgress("verifying", await sizeOf(file), json);
  const { manifest, moveId } = await verifyArchive(readParts(file, progress), { owner: move.owner });
  if (moveId !== source.moveId) {
    throw new StartupError(`${file} is not the archive of this move. Delete it and its .move file, and run again.`);
  }
  const entries = Object.values(manifest.kinds).reduce((sum, { count }) => sum + count, 0);
  return { manifest, entries };
}

async function sendArchive({ calls, onStep }: MoveDeps, move: Move, archive: VerifiedFile): Promise<void> {
  const { to, file, code, json } = move;
  onStep(`4/6 importing ${archive.entries.toLocaleString("en")} entries at ${to}, which compares counts and hashes`);
  using progress = startProgress("importing", archive.entries, json);
  const parts = readArchive(readParts(file, { add: () => undefined }));
  const first = await parts.next();
  if (first.done || first.value.part !== "header") throw new Error("an archive begins with its header");
  const begun = await beginImport(calls, to, { header: first.value.text, ...(code === undefined ? {} : { code }) });
  let position = begun.position ?? archive.entries;
  let seen = 0;
  for await (const batch of toBatches(entriesOf(parts))) {
    const from = Math.max(seen, position);
    const rest = batch.slice(from - seen);
    seen += batch.length;
    progress.add(batch.length);
    if (rest.length === 0) continue;
    const lines = rest.map(({ kind, row }) => `["${kind}",${row}]`);
    const answer = await calls.call<{ position: number }>(to, "POST /import/entries", { from, entries: lines });
    if (answer.position !== seen)
      throw new StartupError("Another run imports this archive; wait for it, and run again.");
    position = answer.position;
  }
  await calls.call(to, "POST /import/finish", { manifest: archive.manifest });
}

async function beginImport(calls: OwnerCalls, to: string, body: object): Promise<Standing> {
  const arrived = await calls.call<Standing>(to, "GET /import").catch(() => undefined);
  if (arrived?.state === "arrived" || arrived?.state === "active") return { ...arrived, position: null };
  return calls.call<Standing>(to, "POST /import", body);
}

async function* entriesOf(parts: ReturnType<typeof readArchive>) {
  for await (const part of parts) if (part.part === "entry") yield part.entry;
}

function noteOf(file: string): string {
  return `${file}.move`;
}

// Where this move comes from, as the run that exported noted it beside the archive.
async function readNote(file: string): Promise<Source | undefined> {
  try {
    await sizeOf(file);
    return JSON.parse(await readFile(noteOf(file), "utf8")) as Source;
  } catch {
    return undefined;
  }
}
