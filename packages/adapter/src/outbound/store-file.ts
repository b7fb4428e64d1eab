import { createFileUris, fileKeyOf, urlKeyOf } from "../state/file-uris.ts";
import type { SyncCore } from "../sync/sync.ts";
import { fileNameOf, readFileContent } from "./file-content.ts";

/** Files are read by whoever has their address, as rows of the older family expect of a URL. */
const FILE_ACL = ["*"];

/** Finds the URI that a URL in a row of an owner was made from. Refuses: the database's errors. */
export function findUriOfUrl(sync: SyncCore, owner: string, url: unknown): Promise<string | undefined> {
  return createFileUris(sync.database).find(urlKeyOf(owner, url));
}

/** Finds the URI of a file that is stored in an owner's vault already. Refuses: RowFault INVALID_FILE; the database's errors. */
export async function findStoredFile(sync: SyncCore, owner: string, value: unknown): Promise<string | undefined> {
  const { contentType, content } = await readFileContent(value);
  return createFileUris(sync.database).find(fileKeyOf(`${owner} ${contentType}`, content));
}

/** Stores a file in an owner's vault, once for the same content. Out: its URI. Refuses: RowFault INVALID_FILE; the vault's errors. */
export async function storeFile(sync: SyncCore, owner: string, value: unknown): Promise<string> {
  const { contentType, content } = await readFileContent(value);
  const uris = createFileUris(sync.database);
  const key = fileKeyOf(`${owner} ${contentType}`, content);
  const known = await uris.find(key);
  if (known !== undefined) return known;
  const file = { filename: fileNameOf(contentType), contentType, content, acl: FILE_ACL };
  const { uri, publicUrl } = await sync.vaults.vault(owner).uploadFile(file, { idempotencyKey: key });
  await uris.save(key, uri);
  if (publicUrl !== null) await uris.save(urlKeyOf(owner, publicUrl), uri);
  return uri;
}
