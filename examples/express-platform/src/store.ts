import { Brackets, type DataSource, type EntityManager } from "typeorm";
import type { EName } from "@dataspace/protocol/ename";
import type {
  ChatStore,
  PeopleStore,
  Person,
  PostStore,
  Post as ShownPost,
  SocialStore,
  VisitStore,
} from "@dataspace/social-app/store";
import { Chat, Message, type MessageEntity, Post, type PostEntity, User, type UserEntity, Visit } from "./entities.ts";

type Sharing = { readonly tableName: string; readonly id: string; readonly participants: readonly string[] };
type Statements = {
  readonly query: <Row>(statement: { readonly text: string; readonly values: readonly unknown[] }) => Promise<Row[]>;
};

/** Called in the transaction that makes a row for certain readers, with that transaction; and after every write. */
export interface StoreHooks {
  readonly share: (shared: Sharing, on: Statements) => Promise<void>;
  readonly onWrite: () => void;
}

/** Makes the platform's store on PostgreSQL by TypeORM. Refuses: the driver's errors. */
export function createTypeormStore(source: DataSource, hooks: StoreHooks): SocialStore {
  const write = async <T>(work: (manager: EntityManager) => Promise<T>): Promise<T> => {
    const result = await source.transaction(work);
    hooks.onWrite();
    return result;
  };
  const parts = { source, write, share: hooks.share };
  return { people: peopleStore(parts), posts: postStore(parts), chats: chatStore(parts), visits: visitStore(source) };
}

interface Parts {
  readonly source: DataSource;
  readonly write: <T>(work: (manager: EntityManager) => Promise<T>) => Promise<T>;
  readonly share: StoreHooks["share"];
}

function peopleStore({ source, write }: Parts): PeopleStore {
  const users = source.getRepository(User);
  return {
    find: async (id) => (isUuid(id) ? toPerson(await users.findOneBy({ id })) : undefined),
    findByEName: async (ename) => toPerson(await users.findOne({ where: { ename }, order: { id: "asc" } })),
    list: async (limit) =>
      (await users.find({ order: { displayName: "asc", id: "asc" }, take: limit })).map(toKnownPerson),
    add: (ename) => write(async (manager) => void (await manager.insert(User, { ename }))),
    change: (id, { name, about, picture }) =>
      write(async (manager) => {
        const avatar = picture === undefined ? {} : { avatar: picture };
        await manager.update(User, { id }, { displayName: name, about, ...avatar });
      }),
  };
}

function postStore({ source, write }: Parts): PostStore {
  const posts = source.getRepository(Post);
  return {
    find: async (id) => {
      const post = isUuid(id) ? await posts.findOne({ where: { id }, relations: { author: true } }) : null;
      return post === null ? undefined : toPost(post);
    },
    feed: async (after, limit) => {
      const query = posts.createQueryBuilder("post").leftJoinAndSelect("post.author", "author");
      query.orderBy("post.createdAt", "DESC").addOrderBy("post.id", "DESC").take(limit);
      if (after !== undefined && isUuid(after.id)) {
        query.where(new Brackets((where) => where.where("(post.createdAt, post.id) < (:writtenAt, :id)", after)));
      }
      return (await query.getMany()).map(toPost);
    },
    write: (authorId, text) =>
      write(async (manager) => void (await manager.insert(Post, { author: { id: authorId }, text }))),
    edit: (id, text) => write(async (manager) => void (await manager.update(Post, { id }, { text }))),
    remove: (id) => write(async (manager) => void (await manager.delete(Post, { id }))),
  };
}

function chatStore({ source, write, share }: Parts): ChatStore {
  const chats = source.getRepository(Chat);
  const find: ChatStore["find"] = async (id) => {
    const chat = isUuid(id)
      ? await chats.findOne({ where: { id }, relations: { host: true, participants: true } })
      : null;
    return chat === null
      ? undefined
      : { ...chat, name: chat.name ?? "", host: toPerson(chat.host), members: chat.participants.map(toKnownPerson) };
  };
  return {
    find,
    listOf: async (personId, limit) => {
      const own = await chats.find({
        where: { participants: { id: personId } },
        select: { id: true, name: true },
        order: { name: "asc", id: "asc" },
        take: limit,
      });
      return (await Promise.all(own.map(({ id }) => find(id)))).filter((chat) => chat !== undefined);
    },
    open: (hostId, name, members) =>
      write(async (manager) => {
        const participants = members.map(({ id }) => ({ id }));
        const { id } = await manager.getRepository(Chat).save({ name, host: { id: hostId }, participants });
        await share({ tableName: "chats", id, participants: members.map(({ ename }) => ename) }, statementsOf(manager));
        return id;
      }),
    messages: async (chatId, limit) => {
      const query = source.getRepository(Message).createQueryBuilder("message");
      query.innerJoinAndSelect("message.sender", "sender").where("message.chat = :chatId", { chatId });
      // Anybody's vault may hold a message that names this chat: those of its members count.
      query.andWhere('sender.id in (select "usersId" from chat_participants where "chatsId" = :chatId)');
      query.orderBy("message.createdAt", "DESC").addOrderBy("message.id", "DESC").take(limit);
      return (await query.getMany()).reverse().map(toMessage);
    },
    say: (chatId, senderId, text) =>
      write(async (manager) => {
        const chat = await manager.findOneOrFail(Chat, { where: { id: chatId }, relations: { participants: true } });
        const { identifiers } = await manager.insert(Message, { chat: { id: chatId }, sender: { id: senderId }, text });
        const participants = chat.participants.flatMap(({ ename }) => ename ?? []);
        await share({ tableName: "messages", id: identifiers[0]?.["id"], participants }, statementsOf(manager));
      }),
  };
}

function visitStore(source: DataSource): VisitStore {
  const visits = source.getRepository(Visit);
  return {
    begin: async ({ key, ename, endsAtMs }) => {
      await visits.createQueryBuilder().delete().where(`"endsAt" < now()`).execute();
      await visits.insert({ key, ename, endsAt: new Date(endsAtMs) });
    },
    find: async (key, nowMs) => {
      const visit = await visits.findOneBy({ key });
      return visit !== null && visit.endsAt.getTime() > nowMs ? (visit.ename as EName) : undefined;
    },
    end: async (key) => void (await visits.delete({ key })),
  };
}

function statementsOf(manager: EntityManager): Statements {
  return { query: ({ text, values }) => manager.query(text, [...values]) };
}

/** PostgreSQL refuses a text that is not one where it compares uuids. */
function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

function toPerson(user: UserEntity | null): Person | undefined {
  return user === null ? undefined : toKnownPerson(user);
}

function toKnownPerson({ id, ename, displayName, about, avatar }: UserEntity): Person {
  return { id, ename: ename ?? "", name: displayName ?? "", about: about ?? "", picture: avatar };
}

function toPost({ id, author, text, createdAt }: PostEntity): ShownPost {
  return { id, author: toPerson(author), text: text ?? "", writtenAt: createdAt.toISOString() };
}

function toMessage({ id, sender, text, createdAt }: MessageEntity) {
  return { id, sender: toKnownPerson(sender as UserEntity), text: text ?? "", sentAt: createdAt.toISOString() };
}
