import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { withoutTrailingSlashes } from "@dataspace/protocol/base-address";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { S3mini } from "s3mini";
import type { Log } from "@dataspace/service-kit/log";
import type { Secret } from "@dataspace/service-kit/secret";
import type { BlobPlace, BlobStore } from "./blob-store.ts";

/** A bucket of an S3-compatible store. `endpoint` is its http or https address without the bucket. */
export interface S3Bucket {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly keyId: string;
  readonly secret: Secret;
}

const ANSWER_LIMIT_MS = 30_000;
const MEDIA_TYPE = "application/octet-stream";

/**
 * Makes a blob store of a bucket. Only the vault accesses it: no object is public and no address of it is given out.
 *
 * A put carries the SHA-256 of its bytes, which the store compares with what it received. An answer has 30 s to begin.
 * Source: decision V15.
 */
export function createS3BlobStore(bucket: S3Bucket): BlobStore {
  const client = createClient(bucket);
  return {
    put: async (place, bytes) => {
      const checksum = { "x-amz-checksum-sha256": createHash("sha256").update(bytes).digest("base64") };
      await client.putObject(keyOf(place), bytes, MEDIA_TYPE, undefined, checksum);
    },
    get: async (place) => {
      const body = (await client.getObjectResponse(keyOf(place)))?.body ?? undefined;
      return body === undefined ? undefined : Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
    },
    delete: async (place) => {
      await client.deleteObject(keyOf(place));
    },
  };
}

/**
 * Opens a bucket as a blob store after checking that it exists and accepts the keys. It does not wait for a store that
 * does not answer: the vault serves everything else, and files as soon as the store is back.
 *
 * Refuses: StartupError 78 naming DS_FILES. Source: decision P5.
 */
export async function openS3BlobStore(bucket: S3Bucket, log: Log): Promise<BlobStore> {
  try {
    if (!(await createClient(bucket).bucketExists())) {
      throw new StartupError(
        `DS_FILES: ${bucket.endpoint} has no bucket ${bucket.bucket}, or not for DS_FILES_KEY_ID and DS_FILES_SECRET.`,
      );
    }
  } catch (error) {
    if (error instanceof StartupError) throw error;
    log.warn({ err: error }, "the store of DS_FILES does not answer; no file can be written or read until it does");
  }
  return createS3BlobStore(bucket);
}

function createClient({ endpoint, bucket, region, keyId, secret }: S3Bucket): S3mini {
  return new S3mini({
    endpoint: `${withoutTrailingSlashes(endpoint)}/${bucket}`,
    region,
    accessKeyId: keyId,
    secretAccessKey: secret.reveal(),
    fetch: fetchWithin,
  });
}

// Until the answer begins; a slow reader may then take longer for the body.
async function fetchWithin(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new Error("the store did not answer in time")), ANSWER_LIMIT_MS);
  try {
    return await fetch(input, { ...init, redirect: "error", signal: abort.signal });
  } finally {
    clearTimeout(timer);
  }
}

function keyOf({ owner, blobKey }: BlobPlace): string {
  return `${owner.slice(1)}/${blobKey}`;
}
