import type { EName } from "@dataspace/protocol/ename";

/** A person as the platform knows them. `picture` is a data: URI or an http(s) address; any text may come from a vault. */
export interface Person {
  readonly id: string;
  readonly ename: string;
  readonly name: string;
  readonly about: string;
  readonly picture: string | null;
}

/** A post; without an author while the author's profile is not known here. `writtenAt` is ISO 8601. */
export interface Post {
  readonly id: string;
  readonly author: Person | undefined;
  readonly text: string;
  readonly writtenAt: string;
}

/** A group chat; `host` opened it, and its record is in the host's vault. */
export interface Chat {
  readonly id: string;
  readonly name: string;
  readonly host: Person | undefined;
  readonly members: readonly Person[];
}

/** A message of a chat. `sentAt` is ISO 8601. */
export interface Message {
  readonly id: string;
  readonly sender: Person;
  readonly text: string;
  readonly sentAt: string;
}

/** Where a page of the feed ends, and the next one begins. */
export interface FeedPlace {
  readonly writtenAt: string;
  readonly id: string;
}

/** The people of the platform. */
export interface PeopleStore {
  readonly find: (id: string) => Promise<Person | undefined>;
  readonly findByEName: (ename: string) => Promise<Person | undefined>;
  /** By name, at most `limit`. */
  readonly list: (limit: number) => Promise<readonly Person[]>;
  readonly add: (ename: EName) => Promise<void>;
  /** `picture` undefined leaves the picture. */
  readonly change: (
    id: string,
    change: Pick<Person, "name" | "about"> & { readonly picture?: string },
  ) => Promise<void>;
}

/** The posts of the platform. */
export interface PostStore {
  readonly find: (id: string) => Promise<Post | undefined>;
  /** The newest first, at most `limit`, after a place. */
  readonly feed: (after: FeedPlace | undefined, limit: number) => Promise<readonly Post[]>;
  readonly write: (authorId: string, text: string) => Promise<void>;
  readonly edit: (id: string, text: string) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}

/** The group chats of the platform. */
export interface ChatStore {
  readonly find: (id: string) => Promise<Chat | undefined>;
  readonly listOf: (personId: string, limit: number) => Promise<readonly Chat[]>;
  /** The host is a member too. */
  readonly open: (hostId: string, name: string, members: readonly Person[]) => Promise<string>;
  /** What members of the chat wrote: the newest `limit`, the oldest of them first. */
  readonly messages: (chatId: string, limit: number) => Promise<readonly Message[]>;
  readonly say: (chatId: string, senderId: string, text: string) => Promise<void>;
}

/** The sessions of people who have logged in, by the hash of their secret. */
export interface VisitStore {
  readonly begin: (visit: { readonly key: string; readonly ename: EName; readonly endsAtMs: number }) => Promise<void>;
  /** Out: the eName of a session that has not ended. */
  readonly find: (key: string, nowMs: number) => Promise<EName | undefined>;
  readonly end: (key: string) => Promise<void>;
}

/** What the pages read and write; each platform implements it on its own tables. */
export interface SocialStore {
  readonly people: PeopleStore;
  readonly posts: PostStore;
  readonly chats: ChatStore;
  readonly visits: VisitStore;
}
