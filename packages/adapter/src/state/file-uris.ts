import { createHash } from "node:crypto";
import type { Queryable } from "./state-database.ts";

/** Remembers which `ds://file` URI a file's content, or the URL that it was given, belongs to. */
export interface FileUris {
  readonly find: (key: string) => Promise<string | undefined>;
  readonly save: (key: string, uri: string) => Promise<void>;
}

/** Opens the files in a database or a transaction. In: keys of at most 2,048 characters. Refuses: the database's errors. */
export function createFileUris({ query }: Queryable): FileUris {
  return {
    find: async (key) => {
      const [row] = await query<{ readonly uri: string }>({
        text: "select uri from ds_file where file_key = $1",
        values: [key],
      });
      return row?.uri;
    },
    save: async (key, uri) => {
      const text =
        "insert into ds_file (file_key, uri) values ($1, $2) on conflict (file_key) do update set uri = excluded.uri";
      await query({ text, values: [key, uri] });
    },
  };
}

/** The key of a file's content in one owner's vault: 64 characters. Refuses: never. */
export function fileKeyOf(owner: string, content: string | Uint8Array): string {
  return createHash("sha256").update(owner).update("\n").update(content).digest("hex");
}

/**
 * The key of the URI that a URL in a row of one owner was made from. Another owner's record, which may claim any URL for its own file,
 * has another key.
 *
 * Refuses: never.
 */
export function urlKeyOf(owner: string, url: unknown): string {
  return fileKeyOf(`${owner} url`, String(url));
}
