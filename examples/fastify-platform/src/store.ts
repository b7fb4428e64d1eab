import type { DatabaseSync } from "node:sqlite";
import { and, asc, desc, eq, inArray, lt, or, sql } from "drizzle-orm";
import type { EName } from "@dataspace/protocol/ename";
import type { ChatStore, PeopleStore, Person, PostStore, SocialStore, VisitStore } from "@dataspace/social-app/store";
import type { CornerDatabase } from "./open-database.ts";
import { openDrizzle } from "./open-drizzle.ts";
import { lines, notes, type PersonRow, people, rooms, visits } from "./schema.ts";
import type { SqliteRemoteDatabase } from "drizzle-orm/sqlite-proxy";

type Sharing = { readonly tableName: string; readonly id: string; readonly participants: readonly string[] };

/** Called in the transaction that makes a row for certain readers, with its connection; and after every write. */
export interface StoreHooks {
  readonly share: (shared: Sharing, on: DatabaseSync) => Promise<void>;
  readonly onWrite: () => void;
}

interface Parts {
  readonly read: SqliteRemoteDatabase;
  readonly write: <T>(work: (drizzle: SqliteRemoteDatabase, database: DatabaseSync) => Promise<T>) => Promise<T>;
  readonly share: StoreHooks["share"];
}

/** Makes the platform's store on SQLite by Drizzle. Refuses: SQLite's errors. */
export function createDrizzleStore({ reader, state }: CornerDatabase, { share, onWrite }: StoreHooks): SocialStore {
  const write: Parts["write"] = async (work) => {
    const result = await state.inTransaction(({ transaction }) => work(openDrizzle(transaction), transaction));
    onWrite();
    return result;
  };
  const parts = { read: openDrizzle(reader), write, share };
  return { people: peopleStore(parts), posts: postStore(parts), chats: chatStore(parts), visits: visitStore(parts) };
}

function peopleStore({ read, write }: Parts): PeopleStore {
  const first = async (where: ReturnType<typeof eq>) =>
    toPerson(await read.select().from(people).where(where).orderBy(asc(people.id)).limit(1).get());
  return {
    find: (id) => first(eq(people.id, id)),
    findByEName: (ename) => first(eq(people.ename, ename)),
    list: async (limit) =>
      (await read.select().from(people).orderBy(asc(people.name), asc(people.id)).limit(limit)).map(toKnownPerson),
    add: (ename) => write(async (drizzle) => void (await drizzle.insert(people).values({ ename }))),
    change: (id, { name, about, picture }) =>
      write(async (drizzle) => {
        const change = { name, bio: about, ...(picture === undefined ? {} : { picture }) };
        await drizzle.update(people).set(change).where(eq(people.id, id));
      }),
  };
}

function postStore({ read, write }: Parts): PostStore {
  const select = () => read.select().from(notes).leftJoin(people, eq(people.id, notes.writerId));
  type Joined = Awaited<ReturnType<typeof select>>[number];
  const toPost = ({ notes: note, people: writer }: Joined) => ({
    ...{ id: note.id, author: toPerson(writer ?? undefined), text: note.body ?? "" },
    writtenAt: toIso(note.writtenMs),
  });
  return {
    find: async (id) => (await select().where(eq(notes.id, id))).map(toPost)[0],
    feed: async (after, limit) => {
      const ms = Date.parse(after?.writtenAt ?? "");
      const older = or(lt(notes.writtenMs, ms), and(eq(notes.writtenMs, ms), lt(notes.id, after?.id ?? "")));
      const found = select().where(after === undefined ? undefined : older);
      return (await found.orderBy(desc(notes.writtenMs), desc(notes.id)).limit(limit)).map(toPost);
    },
    write: (writerId, body) => write(async (drizzle) => void (await drizzle.insert(notes).values({ writerId, body }))),
    edit: (id, body) =>
      write(async (drizzle) => void (await drizzle.update(notes).set({ body }).where(eq(notes.id, id)))),
    remove: (id) => write(async (drizzle) => void (await drizzle.delete(notes).where(eq(notes.id, id)))),
  };
}

function chatStore({ read, write, share }: Parts): ChatStore {
  const find: ChatStore["find"] = async (id) => {
    const room = await read.select().from(rooms).where(eq(rooms.id, id)).get();
    if (room === undefined) return undefined;
    const ids = idsOf(room.members);
    const known = await read
      .select()
      .from(people)
      .where(inArray(people.id, [...ids, room.hostId ?? ""]));
    const members = known.filter((person) => ids.includes(person.id)).map(toKnownPerson);
    const host = toPerson(known.find((person) => person.id === room.hostId));
    return { id, name: room.title ?? "", host, members };
  };
  const isMember = (personId: string) =>
    sql`exists (select 1 from json_each(${rooms.members}) where json_each.value = ${personId})`;
  return {
    find,
    listOf: async (personId, limit) => {
      const own = read.select({ id: rooms.id }).from(rooms).where(isMember(personId));
      const found = await own.orderBy(asc(rooms.title), asc(rooms.id)).limit(limit);
      return (await Promise.all(found.map(({ id }) => find(id)))).filter((chat) => chat !== undefined);
    },
    open: (hostId, title, chosen) =>
      write(async (drizzle, database) => {
        const members = chosen.map(({ id }) => id);
        const [made] = await drizzle.insert(rooms).values({ hostId, title, members }).returning({ id: rooms.id });
        const id = made?.id ?? "";
        await share({ tableName: "rooms", id, participants: chosen.map(({ ename }) => ename) }, database);
        return id;
      }),
    messages: async (roomId, limit) => {
      const said = read.select().from(lines).innerJoin(people, eq(people.id, lines.speakerId));
      // Anybody's vault may hold a message that names this chat: those of its members count.
      const members = sql`${lines.speakerId} in (select json_each.value from ${rooms}, json_each(${rooms.members}) where ${rooms.id} = ${roomId})`;
      const newest = said.where(and(eq(lines.roomId, roomId), members));
      const found = await newest.orderBy(desc(lines.saidMs), desc(lines.id)).limit(limit);
      return found.reverse().map(({ lines: line, people: speaker }) => ({
        ...{ id: line.id, sender: toKnownPerson(speaker), text: line.words ?? "", sentAt: toIso(line.saidMs) },
      }));
    },
    say: (roomId, speakerId, words) =>
      write(async (drizzle, database) => {
        const [made] = await drizzle.insert(lines).values({ roomId, speakerId, words }).returning({ id: lines.id });
        const participants = ((await find(roomId))?.members ?? []).map(({ ename }) => ename);
        await share({ tableName: "lines", id: made?.id ?? "", participants }, database);
      }),
  };
}

function visitStore({ read, write }: Parts): VisitStore {
  return {
    begin: (visit) =>
      write(async (drizzle) => {
        const { key, ename, endsAtMs: endsMs } = visit;
        await drizzle.delete(visits).where(lt(visits.endsMs, Date.now()));
        await drizzle.insert(visits).values({ key, ename, endsMs });
      }),
    find: async (key, nowMs) => {
      const visit = await read.select().from(visits).where(eq(visits.key, key)).get();
      return visit !== undefined && visit.endsMs > nowMs ? (visit.ename as EName) : undefined;
    },
    end: (key) => write(async (drizzle) => void (await drizzle.delete(visits).where(eq(visits.key, key)))),
  };
}

function idsOf(members: unknown): readonly string[] {
  return Array.isArray(members) ? members.filter((member) => typeof member === "string") : [];
}

/** A vault may hold a time that a Date does not. */
function toIso(ms: number): string {
  return new Date(Math.abs(ms) <= 8.64e15 ? ms : 0).toISOString();
}

function toPerson(row: PersonRow | undefined): Person | undefined {
  return row === undefined ? undefined : toKnownPerson(row);
}

function toKnownPerson({ id, ename, name, bio, picture }: PersonRow): Person {
  return { id, ename: ename ?? "", name: name ?? "", about: bio ?? "", picture };
}
