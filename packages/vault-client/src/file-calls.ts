import { encodeBase64 } from "@dataspace/protocol/base64";
import type { CallOptions, Calls, WriteOptions } from "./calls.ts";
import { type ExchangeDeps, exchange, type HttpAnswer } from "./exchange.ts";
import { assertSuccess, invalidAnswer } from "./read-answer.ts";
import type { UploadFileInput } from "./vault-inputs.ts";

/** A file to store; `content` is its bytes, at most 10 MiB. */
export type FileInput = Omit<UploadFileInput, "content"> & { readonly content: Uint8Array };

/** Where a stored file is. */
export interface StoredFile {
  /** `ds://file?id=@<ename>/<MetaEnvelope id>` */
  readonly uri: string;
  readonly metaEnvelopeId: string;
  /** Where everybody gets the file; null when not everybody may read it. */
  readonly publicUrl: string | null;
}

/** A file as it was stored. `filename` is empty when the vault names none. It is a name, never a path. */
export interface DownloadedFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

/** The calls on files. Each rejects with a VaultError. Source: S1 "uploadFile"; decision V15. */
export interface FileCalls {
  /** Stores a file and the MetaEnvelope that guards it. */
  readonly uploadFile: (input: FileInput, options?: WriteOptions) => Promise<StoredFile>;
  /** Reads a file by the id of its MetaEnvelope. */
  readonly downloadFile: (id: string, options?: CallOptions) => Promise<DownloadedFile>;
}

const DOWNLOAD_LIMIT_MS = 30_000;
const FILENAME = /filename\*=UTF-8''([^;\s]{1,2048})/i;

/** Makes the calls on files of one owner's vault. Refuses: as `FileCalls`. */
export function createFileCalls({ call, get }: Calls, deps: ExchangeDeps): FileCalls {
  return {
    uploadFile: async ({ content, ...input }, options) => {
      const asked = { input: { ...input, content: encodeBase64(content) } };
      const { uri, metaEnvelopeId, publicUrl } = await call("uploadFile", asked, options);
      if (uri !== null && metaEnvelopeId !== null) return { uri, metaEnvelopeId, publicUrl };
      throw invalidAnswer("The vault's answer has neither the file's address nor an error.");
    },
    downloadFile: (id, options) =>
      get(`/files/${encodeURIComponent(id)}`, options, (answer) => readBlob(deps, answer, options?.signal)),
  };
}

/** Follows the vault's redirect to the file's bytes, without the credential: they may lie with somebody else. */
async function readBlob(
  deps: ExchangeDeps,
  answer: HttpAnswer,
  signal: AbortSignal | undefined,
): Promise<DownloadedFile> {
  const place = answer.headers.get("location");
  if (answer.status !== 302 || place === null) assertSuccess(answer);
  const url = place !== null && URL.canParse(place, answer.url) ? new URL(place, answer.url) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw invalidAnswer("The vault's answer is not the address of a file.");
  const request = { url: url.href, method: "GET", headers: {}, timeoutMs: DOWNLOAD_LIMIT_MS, signal } as const;
  const blob = await exchange(deps, request);
  assertSuccess(blob);
  return {
    filename: readFilename(blob.headers.get("content-disposition") ?? ""),
    contentType: blob.headers.get("content-type") ?? "application/octet-stream",
    content: blob.bytes,
  };
}

function readFilename(disposition: string): string {
  try {
    return (
      decodeURIComponent(FILENAME.exec(disposition)?.[1] ?? "")
        .split(/[/\\]/)
        .at(-1) ?? ""
    );
  } catch {
    return "";
  }
}
