import { parseFileUri } from "@dataspace/protocol/wallet-uri";
import { fromGlobal } from "../mapping/convert.ts";
import { isFileUri } from "../mapping/forms/file.ts";
import type { Mapping } from "../mapping/mapping.ts";
import type { SyncCore } from "../sync/sync.ts";
import type { FileUrls } from "./payload-to-row.ts";

const MAX_FILES = 100;

/**
 * Finds the public URLs of the files that a payload names.
 *
 * Out: without those that have none or whose vault gives no answer; their URI then stays in the row. Refuses: never.
 * Source: S3 "Mapping config" (`__file`); decision V15.
 */
export async function findFiles(
  sync: SyncCore,
  mapping: Mapping,
  payload: Readonly<Record<string, unknown>>,
): Promise<FileUrls> {
  const uris = new Set<string>();
  const record = (uri: string): undefined => void (isFileUri(uri) && uris.size < MAX_FILES && uris.add(uri));
  fromGlobal(mapping, payload, { localId: () => "", file: record });
  const found = await Promise.all([...uris].map(async (uri) => [uri, await findPublicUrl(sync, uri)] as const));
  return new Map(found.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
}

async function findPublicUrl({ vaults }: SyncCore, uri: string): Promise<string | undefined> {
  try {
    const { ename, metaEnvelopeId } = parseFileUri(uri);
    const record = await vaults.vault(ename).get(metaEnvelopeId);
    const { publicUrl } = (record?.parsed ?? {}) as { readonly publicUrl?: unknown };
    return typeof publicUrl === "string" && /^https?:\/\//.test(publicUrl) ? publicUrl : undefined;
  } catch {
    return undefined;
  }
}
