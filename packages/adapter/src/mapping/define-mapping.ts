import type { MappingDocument } from "./create-mappings.ts";
import type { LocalDateType } from "./dates.ts";
import type { UnknownReference } from "./forms/relation.ts";

type Step = readonly [never, 0, 1, 2, 3];
type Leaf = string | number | bigint | boolean | Date | Uint8Array | null | undefined | unknown[];

/** The paths of a type, as mappings write them: `name`, `author.id`, `members[].id`; four names deep. */
export type PathOf<Type, Deep extends number = 4> = [Deep] extends [never]
  ? never
  : { [Name in keyof Type & string]: PathThrough<Name, NonNullable<Type[Name]>, Deep> }[keyof Type & string];

type PathThrough<Name extends string, Value, Deep extends number> =
  | Name
  | (Value extends readonly (infer Element)[]
      ? `${Name}[]` | (Element extends Leaf ? never : `${Name}[].${PathOf<Element, Step[Deep] & number>}`)
      : Value extends Leaf
        ? never
        : `${Name}.${PathOf<Value, Step[Deep] & number>}`);

/** A global field, or a form that leads to one: `__date(at),createdAt`, `users(author.id),authorId`, `users(likes)[],likedBy`. */
export type ExpressionFor<Global> =
  | PathOf<Global>
  | `${string})`
  | `${string}),${PathOf<Global>}`
  | `${string})[],${PathOf<Global>}`;

/** A mapping in TypeScript: the members of a mapping file, with the fields of both sides known. */
export interface TypedMapping<Local, Global> {
  readonly tableName: string;
  readonly schemaId: string;
  readonly ownerEnamePath: string;
  readonly readOnly?: boolean;
  readonly localToUniversalMap: { readonly [Field in PathOf<Local>]?: ExpressionFor<Global> };
  readonly localTypes?: { readonly [Field in PathOf<Local>]?: LocalDateType };
  readonly unknownReference?: UnknownReference;
  readonly relationFormat?: "path" | "table(id)";
  readonly coerce?: boolean;
  readonly strict?: boolean;
}

/**
 * Writes a mapping in TypeScript; give it to `createMappings`, which checks what types cannot.
 *
 * Refuses: never. Source: S3 "Mapping config".
 */
export function defineMapping<Local, Global>(mapping: TypedMapping<Local, Global>): MappingDocument {
  return { file: `defineMapping(${mapping.tableName})`, document: mapping };
}
