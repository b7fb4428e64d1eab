import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import type { ArchiveManifest } from "../../src/archive/archive-format.ts";
import { createArchiveDigests } from "../../src/archive/archive-format.ts";
import { readEntry } from "../../src/archive/read-archive.ts";
import { type Answer, ask } from "./ask.ts";
import type { Person } from "./people.ts";
import type { TestVault } from "./start-vault.ts";

/** Sends a request such as `POST /move` as the owner, with a fresh wallet token for this vault, or with the headers given. */
export async function asOwner(
  vault: Pick<TestVault, "url">,
  person: Person,
  what: string,
  body?: unknown,
  credential?: Readonly<Record<string, string>>,
): Promise<Answer> {
  const [method, path] = what.split(" ") as [string, string];
  const type: Readonly<Record<string, string>> = body === undefined ? {} : { "content-type": "application/json" };
  const headers = { "x-ename": person.ename, ...type, ...(credential ?? (await person.at(vault.url))) };
  return ask(vault, path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

/** The status and the code of an answer. */
export const codeOf = ({ status, body }: Answer): readonly unknown[] => [status, body.error?.code];

/** An archive as its lines. */
export interface ArchiveLines {
  readonly header: string;
  readonly entries: readonly string[];
  readonly manifest: ArchiveManifest;
}

/** Exports an owner's vault. */
export async function linesOf(vault: Pick<TestVault, "url">, person: Person): Promise<ArchiveLines> {
  const headers = { "x-ename": person.ename, ...(await person.at(vault.url)) };
  const response = await fetch(`${vault.url}/export`, { headers });
  const lines = gunzipSync(Buffer.from(await response.arrayBuffer()))
    .toString()
    .trimEnd()
    .split("\n");
  return { header: lines[0]!, entries: lines.slice(1, -1), manifest: JSON.parse(lines.at(-1)!).manifest };
}

/** Makes the archive of other entries, with a manifest that fits them. */
export function withEntries(header: string, entries: readonly string[]): ArchiveLines {
  const digests = createArchiveDigests(header);
  for (const line of entries) digests.add(readEntry(line, 1).entry);
  return { header, entries, manifest: digests.finish() };
}

/** Imports an archive up to its comparison. Out: the answer of `POST /import/finish`. */
export async function importLines(
  vault: Pick<TestVault, "url">,
  person: Person,
  archive: ArchiveLines,
): Promise<Answer> {
  const { header, entries, manifest } = archive;
  assert.equal((await asOwner(vault, person, "POST /import", { header })).status, 200);
  const sent = await asOwner(vault, person, "POST /import/entries", { from: 0, entries });
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  return asOwner(vault, person, "POST /import/finish", { manifest });
}

/** The value of one entry's row, changed. */
export function changeEntry(line: string, change: (row: Readonly<Record<string, string>>) => object): string {
  const [kind, row] = JSON.parse(line) as [string, Record<string, string>];
  return JSON.stringify([kind, { ...(row as object), ...change(row) }]);
}
