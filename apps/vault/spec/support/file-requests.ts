import assert from "node:assert/strict";
import { type Answer, askGraphQL } from "./ask.ts";
import type { TestVault } from "./start-vault.ts";

/** Where a test's vault is. */
export type At = Pick<TestVault, "url">;

const UPLOAD = `mutation ($input: UploadFileInput!) {
  uploadFile(input: $input) { uri metaEnvelopeId publicUrl errors { field message code } }
}`;

/** What a test uploads where it does not say otherwise. */
const HELLO = { filename: "hello.txt", contentType: "text/plain", content: "aGVsbG8=" };

/** Sends an upload. */
export function sendUpload(
  at: At,
  owner: string,
  input: object = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  return askGraphQL(at, owner, UPLOAD, { input: { ...HELLO, ...input } }, headers);
}

/** Uploads as the owner; the test fails when it is refused. */
export async function upload(
  at: At,
  owner: string,
  input: object = {},
  headers: Record<string, string> = {},
): Promise<{ readonly uri: string; readonly metaEnvelopeId: string; readonly publicUrl: string | null }> {
  const { body } = await sendUpload(at, owner, input, headers);
  const { errors, ...uploaded } = body.data.uploadFile;
  assert.deepEqual(errors, []);
  return uploaded;
}

/** Asks where a file is, without going there. */
export async function locate(
  at: At,
  owner: string,
  id: string,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly location: string; readonly text: string }> {
  const response = await fetch(`${at.url}/files/${encodeURIComponent(id)}`, {
    redirect: "manual",
    headers: { "x-ename": owner, ...headers },
  });
  const text = await response.text();
  return { status: response.status, location: response.headers.get("location") ?? "", text };
}

/** Gets a file's bytes the way a browser does: no header of ours. */
export async function download(
  address: string,
  init: RequestInit = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly bytes: Buffer }> {
  const response = await fetch(address, init);
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}
