import { EntitySchema, type EntitySchemaColumnOptions } from "typeorm";

/** A person. `avatar` is a data: URI as it was uploaded, or an address where it came from a vault. */
export interface UserEntity {
  readonly id: string;
  readonly ename: string | null;
  readonly displayName: string | null;
  readonly about: string | null;
  readonly avatar: string | null;
}

/** A post. */
export interface PostEntity {
  readonly id: string;
  readonly author: UserEntity | null;
  readonly text: string | null;
  readonly createdAt: Date;
}

/** A group chat. */
export interface ChatEntity {
  readonly id: string;
  readonly name: string | null;
  readonly host: UserEntity | null;
  readonly participants: UserEntity[];
}

/** A message of a chat. */
export interface MessageEntity {
  readonly id: string;
  readonly chat: ChatEntity | null;
  readonly sender: UserEntity | null;
  readonly text: string | null;
  readonly createdAt: Date;
}

/** A session, by the hash of its secret. */
export interface VisitEntity {
  readonly key: string;
  readonly ename: string;
  readonly endsAt: Date;
}

const id = { type: "uuid", primary: true, generated: "uuid" } as const;
// What comes from a vault may lack any field, so all of them may be null.
const text = { type: "text", nullable: true } as const;
const createdAt: EntitySchemaColumnOptions = { type: "timestamptz", precision: 3, default: () => "now()" };
/** A row that is named by others may come after them, and may go before them. */
const one = (target: string) => ({ type: "many-to-one", target, nullable: true, onDelete: "SET NULL" }) as const;

/** The people of the platform. */
export const User: EntitySchema<UserEntity> = new EntitySchema<UserEntity>({
  name: "users",
  columns: { id, ename: text, displayName: text, about: text, avatar: text },
  indices: [{ columns: ["ename"] }],
});

/** Their posts. */
export const Post: EntitySchema<PostEntity> = new EntitySchema<PostEntity>({
  name: "posts",
  columns: { id, text, createdAt },
  relations: { author: one("users") },
  indices: [{ columns: ["createdAt", "id"] }],
});

/** Group chats. */
export const Chat: EntitySchema<ChatEntity> = new EntitySchema<ChatEntity>({
  name: "chats",
  columns: { id, name: text },
  relations: {
    host: one("users"),
    participants: { type: "many-to-many", target: "users", joinTable: { name: "chat_participants" } },
  },
});

/** The messages of chats. */
export const Message: EntitySchema<MessageEntity> = new EntitySchema<MessageEntity>({
  name: "messages",
  columns: { id, text, createdAt },
  relations: { chat: one("chats"), sender: one("users") },
  indices: [{ columns: ["chat", "createdAt"] }],
});

/** The sessions of people who have logged in. */
export const Visit: EntitySchema<VisitEntity> = new EntitySchema<VisitEntity>({
  name: "visits",
  columns: { key: { type: "text", primary: true }, ename: { type: "text" }, endsAt: { type: "timestamptz" } },
});

/** All tables of the platform. */
export const ENTITIES: EntitySchema[] = [User, Post, Chat, Message, Visit];
