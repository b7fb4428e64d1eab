import { join, resolve } from "node:path";
import { createSecret, type Secret } from "@dataspace/service-kit/secret";
import { settingsError } from "@dataspace/service-kit/settings/settings";
import { z } from "zod";
import type { FilesLocation } from "./open-blob-store.ts";

type Environment = Readonly<Record<string, string | undefined>>;

type ParsedLocation =
  | { readonly kind: "directory"; readonly path: string }
  | { readonly kind: "bucket"; readonly bucket: string; readonly endpoint: string; readonly region: string };

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const DEFAULT_REGION = "us-east-1";
const FORM = "must be a directory or s3://<bucket>?endpoint=https://<host>, with &region= where it is not us-east-1";

/** The settings for file storage, by name. Source: decision V15; decisions, settings table. */
export const filesSettings: {
  readonly DS_DATA_DIR: z.ZodType<string | undefined>;
  readonly DS_FILES: z.ZodType<ParsedLocation | undefined>;
  readonly DS_FILES_KEY_ID: z.ZodType<string | undefined>;
  readonly DS_FILES_SECRET: z.ZodType<Secret | undefined>;
} = {
  DS_DATA_DIR: z
    .string()
    .optional()
    .describe("The directory of an embedded PostgreSQL, and of files where `DS_FILES` is not set."),
  DS_FILES: z
    .string()
    .transform(readLocation)
    .optional()
    .describe(
      "Where files are stored: a directory, or `s3://<bucket>?endpoint=https://<host>` (and `&region=`, `us-east-1` when absent). Without it `files` in `DS_DATA_DIR`; without that uploads are refused.",
    ),
  DS_FILES_KEY_ID: z.string().optional().describe("The key id of the bucket. Required for a bucket."),
  DS_FILES_SECRET: z
    .string()
    .transform(createSecret)
    .optional()
    .describe("The secret of the bucket. Required for a bucket."),
};

/** The parsed `filesSettings`. */
export type FilesSettings = { readonly [Name in keyof typeof filesSettings]: z.output<(typeof filesSettings)[Name]> };

/**
 * Finds missing settings for files, to be reported with the other faults.
 *
 * Out: one fault per setting. Refuses: never. Source: decision P5.
 */
export function findFilesFaults(env: Environment): readonly string[] {
  const isSet = (name: string): boolean => Boolean(env[name] || env[`${name}_FILE`]);
  if (!env["DS_FILES"]?.startsWith("s3:")) return [];
  return findMissingKeys(isSet);
}

function findMissingKeys(isSet: (name: string) => boolean): readonly string[] {
  return ["DS_FILES_KEY_ID", "DS_FILES_SECRET"]
    .filter((name) => !isSet(name))
    .map((name) => `${name}: is required for an s3:// bucket, but it is not set`);
}

/**
 * Returns where files are stored: DS_FILES, otherwise `files` in the data directory, otherwise nowhere.
 *
 * Refuses: StartupError (78) for a bucket without keys, when the bucket came from a `_FILE` setting.
 */
export function locateFiles(settings: FilesSettings): FilesLocation {
  const { DS_DATA_DIR, DS_FILES, DS_FILES_KEY_ID: keyId, DS_FILES_SECRET: secret } = settings;
  if (DS_FILES?.kind === "bucket") {
    if (keyId !== undefined && secret !== undefined) return { ...DS_FILES, keyId, secret };
    throw settingsError(findMissingKeys((name) => settings[name as keyof FilesSettings] !== undefined));
  }
  if (DS_FILES !== undefined) return { ...DS_FILES, setting: "DS_FILES" };
  if (DS_DATA_DIR === undefined) return { kind: "nowhere" };
  return { kind: "directory", path: join(DS_DATA_DIR, "files"), setting: "DS_DATA_DIR" };
}

/**
 * Reads DS_FILES: a directory, or a bucket without its keys.
 *
 * Out: undefined for a text that names neither. Refuses: never. Source: decision V15.
 */
export function parseFilesLocation(text: string): ParsedLocation | undefined {
  return /^[a-z0-9]+:/i.test(text) ? readBucket(text) : { kind: "directory", path: resolve(text) };
}

function readLocation(text: string, context: z.RefinementCtx): ParsedLocation {
  const location = parseFilesLocation(text);
  if (location !== undefined) return location;
  context.addIssue({ code: "custom", message: FORM });
  return z.NEVER;
}

function readBucket(text: string): ParsedLocation | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "s3:" || !BUCKET.test(url.host) || !/^\/?$/.test(url.pathname) || url.hash !== "")
    return undefined;
  const { endpoint, region = DEFAULT_REGION, ...others } = Object.fromEntries(url.searchParams);
  if (Object.keys(others).length > 0 || !/^[a-z0-9-]{1,32}$/.test(region) || !isEndpoint(endpoint)) return undefined;
  return { kind: "bucket", bucket: url.host, endpoint, region };
}

function isEndpoint(text: string | undefined): text is string {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  return /^https?:$/.test(url?.protocol ?? "") && url?.username === "" && url.search === "" && url.hash === "";
}
