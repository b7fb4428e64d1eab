import { integer, type SQLiteColumn, type SQLiteTableWithColumns, sqliteTable, text } from "drizzle-orm/sqlite-core";

type Column<Table extends string, Data, HasDefault extends boolean> = SQLiteColumn<{
  name: string;
  tableName: Table;
  dataType: "string" | "number" | "json";
  columnType: string;
  data: NonNullable<Data>;
  driverParam: string | number;
  notNull: null extends Data ? false : true;
  hasDefault: HasDefault;
  isPrimaryKey: boolean;
  isAutoincrement: boolean;
  hasRuntimeDefault: boolean;
  enumValues: [string, ...string[]] | undefined;
}>;
type TableOf<Name extends string, Row, Defaults extends keyof Row = never> = SQLiteTableWithColumns<{
  name: Name;
  schema: undefined;
  dialect: "sqlite";
  columns: { [Key in keyof Row]: Column<Name, Row[Key], Key extends Defaults ? true : false> };
}>;

/** A person. `picture` is a data: URI as it was uploaded, or an address where it came from a vault. */
export type PersonRow = Record<"ename" | "name" | "bio" | "picture", string | null> & { id: string };
/** A post. Times are milliseconds since the epoch. */
export type NoteRow = Record<"writerId" | "body", string | null> & { id: string; writtenMs: number };
/** A group chat; `members` holds ids of people. */
export type RoomRow = Record<"hostId" | "title", string | null> & { id: string; members: readonly string[] | null };
/** A message of a group chat. */
export type LineRow = Record<"roomId" | "speakerId" | "words", string | null> & { id: string; saidMs: number };
/** A session, by the hash of its secret. */
export type VisitRow = { key: string; ename: string; endsMs: number };

const id = text()
  .primaryKey()
  .$defaultFn(() => crypto.randomUUID());

/** The people of the platform. */
export const people: TableOf<"people", PersonRow, "id"> = sqliteTable("people", {
  id,
  ename: text(),
  name: text(),
  bio: text(),
  picture: text(),
});
/** Their posts. */
export const notes: TableOf<"notes", NoteRow, "id" | "writtenMs"> = sqliteTable("notes", {
  id,
  writerId: text("writer_id"),
  body: text(),
  writtenMs: integer("written_ms")
    .notNull()
    .$defaultFn(() => Date.now()),
});
/** Group chats. */
export const rooms: TableOf<"rooms", RoomRow, "id"> = sqliteTable("rooms", {
  id,
  hostId: text("host_id"),
  title: text(),
  members: text({ mode: "json" }).$type<readonly string[]>(),
});
/** Their messages. */
export const lines: TableOf<"lines", LineRow, "id" | "saidMs"> = sqliteTable("lines", {
  id,
  roomId: text("room_id"),
  speakerId: text("speaker_id"),
  words: text(),
  saidMs: integer("said_ms")
    .notNull()
    .$defaultFn(() => Date.now()),
});
/** Sessions. */
export const visits: TableOf<"visits", VisitRow> = sqliteTable("visits", {
  key: text().primaryKey(),
  ename: text().notNull(),
  endsMs: integer("ends_ms").notNull(),
});
