import { parseFileUri } from "@dataspace/protocol/wallet-uri";
import { fromGlobal } from "../mapping/convert.ts";
import { isFileUri } from "../mapping/forms/file.ts";
import type { Mapping } from "../mapping/mapping.ts";
import type { SyncCore } from "../sync/sync.ts";
import type { FileUrls } from "./payload-to-row.ts";

const MAX_FILES = 100;
const AT_ONCE = 4;

/**
 * Finds the public URLs of the files that a payload names, four at once.
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
  const found = new Map<string, string>();
  // The iterator is shared, so each of the four takes the next one.
  const left = uris.values();
  const work = async (): Promise<void> => {
    for (const uri of left) {
      const url = await findPublicUrl(sync, uri);
      if (url !== undefined) found.set(uri, url);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
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
