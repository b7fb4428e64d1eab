import { toDataUrl } from "./file-preview.ts";
import type { VaultConnection } from "./vault-connection.ts";
import { VAULT_TEXTS } from "./vault-texts.ts";

const MAX_BYTES = 10_485_760;
const UPLOAD = `mutation ($input: UploadFileInput!) { uploadFile(input: $input) { metaEnvelopeId errors { message code } } }`;

/**
 * Uploads a file that is not shared. Out: the id of its record.
 *
 * Refuses: an Error for a file above 10 MiB; as `VaultConnection`. Source: S1 "uploadFile".
 */
export async function uploadFile(vault: VaultConnection, file: File): Promise<string> {
  if (file.size > MAX_BYTES) throw new Error(VAULT_TEXTS.fileTooLarge);
  const dataUrl = await toDataUrl(file);
  const input = {
    filename: file.name,
    contentType: file.type || "application/octet-stream",
    content: dataUrl.slice(dataUrl.indexOf(",") + 1),
  };
  const { uploadFile: { metaEnvelopeId = "" } = {} } = await vault.ask(UPLOAD, { input });
  return metaEnvelopeId;
}
