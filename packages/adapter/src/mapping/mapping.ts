import type { Entry } from "./conversion.ts";
import type { OwnerPath } from "./owner-path.ts";

/** One table's mapping, read and checked. */
export interface Mapping {
  /** The file it was read from, or another name for its place. */
  readonly file: string;
  readonly tableName: string;
  readonly schemaId: string;
  readonly ownerEnamePath: OwnerPath;
  /** No local change goes out; changes still come in. */
  readonly readOnly: boolean;
  readonly entries: readonly Entry[];
  /** Global fields whose way back loses something, and why; members of the file that nothing reads. For `check`. */
  readonly warnings: readonly string[];
}

/** All mappings of a platform. */
export interface Mappings {
  readonly list: readonly Mapping[];
  readonly byTable: ReadonlyMap<string, Mapping>;
  /** A schema may have several tables. */
  readonly bySchema: ReadonlyMap<string, readonly Mapping[]>;
}
