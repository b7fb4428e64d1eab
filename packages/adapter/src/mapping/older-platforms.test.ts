import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fromGlobal, toGlobal } from "./convert.ts";
import { createMappings } from "./create-mappings.ts";
import { KNOWN_GLOBAL, KNOWN_LOCAL } from "./test-mapping.ts";

const USER = "550e8400-e29b-41d4-a716-446655440000";
const POST = "550e8400-e29b-41d4-a716-446655440001";
const CHAT = "550e8400-e29b-41d4-a716-446655440003";
const MESSAGE = "550e8400-e29b-41d4-a716-446655440004";
const SECONDS = (field: string, name = "calc") => `__date(${name}(${field}._seconds * 1000)),${field}`;
const TIMES = { createdAt: "createdAt", updatedAt: "updatedAt" };

function file(
  tableName: string,
  schemaId: string,
  ownerEnamePath: string,
  localToUniversalMap: object,
  others: object = {},
) {
  return {
    file: `${tableName}.mapping.json`,
    document: { tableName, schemaId, ownerEnamePath, ownedJunctionTables: [], localToUniversalMap, ...others },
  };
}

const users = (map: object = { name: "displayName", ename: "ename" }) => file("users", USER, "ename", map);
const groups = (map: object, owner = "users(participants[].ename)") =>
  file("groups", CHAT, owner, map, { readOnly: true });

/** The forms of the mapping files of ten platforms of the older family, each platform with every form that its files use. */
const PLATFORMS = {
  "a social network on Firestore": [
    file("user", USER, "id", {
      username: "username",
      photoURL: "__file(photoURL),avatarUrl",
      verified: "isVerified",
      createdAt: SECONDS("createdAt"),
    }),
    file("tweet", POST, "user(createdBy)", {
      text: "content",
      createdBy: "user(createdBy),authorId",
      images: "__file(images[].src),mediaUrls",
      parent: "tweet(parent.id),parentPostId",
      userLikes: "user(userLikes)[],likedBy",
      createdAt: SECONDS("createdAt"),
      updatedAt: SECONDS("updatedAt", "__calc"),
    }),
    file(
      "chat",
      CHAT,
      "ename||user(participants[])",
      {
        name: "name",
        admins: "user(admins[]),admins",
        participants: "user(participants[]),participantIds",
        lastMessage: "lastMessageId",
        createdAt: SECONDS("createdAt", "__calc"),
      },
      { participants: "ename||user(participants[])" },
    ),
    file("message", MESSAGE, "chat(chat.ename)||user(senderId)", {
      chatId: "chat(chatId),chatId",
      senderId: "user(senderId),senderId",
      text: "content",
      mediaUrl: "__file(mediaUrl)",
      createdAt: SECONDS("createdAt"),
    }),
  ],
  "a picture network on PostgreSQL": [
    users({ handle: "username", avatarUrl: "__file(avatarUrl)", followers: "users(followers[].id),followers" }),
    file("posts", POST, "users(author.ename)", {
      text: "content",
      images: "__file(images),mediaUrls",
      hashtags: "tags",
      parentPostId: "posts(parentPostId),parentPostId",
      likedBy: "users(likedBy[].id),likedBy",
      author: "users(author.id),authorId",
      ...TIMES,
    }),
    file("comments", POST, "users(author.ename)", {
      text: "content",
      parentPostId: "posts(post.id),parentPostId",
      author: "users(author.id),authorId",
    }),
    file("chats", CHAT, "users(participants[].ename)", {
      name: "name",
      participants: "users(participants[].id),participantIds",
    }),
    file("messages", MESSAGE, "users(sender.ename)", {
      chatId: "chats(chat.id),chatId",
      senderId: "users(sender.id),senderId",
      text: "content",
      createdAt: "__date(createdAt)",
    }),
  ],
  "a guard of group rules": [
    users(),
    file("charter_signature", "sig", "users(user.ename)", { userId: "users(user.id),userId", signature: "signature" }),
    groups({
      name: "name",
      owner: "owner",
      admins: "users(admins[].id),admins",
      participants: "users(participants[].id),participantIds",
      charterSignatures: "charter_signature(charterSignatures[].id),signatureIds",
      ename: "eName",
    }),
  ],
  "a wish list": [
    users(),
    file("wishlists", "770e8400", "users(user.ename)", {
      title: "title",
      metadata: "metadata",
      user: "users(user.id),userId",
      ...TIMES,
    }),
  ],
  "a currency": [
    groups({ name: "name", ename: "eName" }, "ename"),
    file("currencies", "cur", "groups(group.ename)", {
      groupId: "groups(groupId),groupId",
      allowNegative: "allowNegative",
    }),
    file("ledgers", "led", "syncOwnerEname", {
      currencyId: "currencies(currencyId),currencyId",
      amount: "amount",
      balance: "balance",
      createdAt: "createdAt",
    }),
  ],
  "a reputation": [
    groups({ name: "name" }, "ename"),
    file("polls", "poll", "groups(group.ename)", {
      title: "title",
      options: "options",
      group: "groups(group.id),group",
      deadline: "deadline",
    }),
    file("vote_reputation_results", "res", "groups(poll.group.ename)", {
      pollId: "polls(poll.id),pollId",
      groupId: "groups(group.id),groupId",
      results: "results",
    }),
  ],
  "a signing office": [
    users(),
    file("files", "file", "users(owner.ename)", {
      name: "name",
      size: "size",
      md5Hash: "md5Hash",
      ownerId: "users(owner.id),ownerId",
      createdAt: "__date(createdAt)",
      updatedAt: "__date(updatedAt)",
    }),
  ],
  "a ballot box": [
    users(),
    file("polls", "poll", "users(creator.ename)", { id: "id", title: "title", creatorId: "creatorId" }),
    file("votes", "vote", "users(user.ename)||voterEname", {
      id: "id",
      pollId: "pollId",
      poll: "polls(poll.id),poll",
      data: "data",
      ...TIMES,
    }),
  ],
  "a file manager": [
    users(),
    file("signatures", "sig", "users(user.ename)", {
      fileId: "files(file.id),fileId",
      userId: "users(user.id),userId",
    }),
    file("files", "file", "users(owner.ename)", {
      name: "name",
      folderId: "folderId",
      ownerId: "users(owner.id),ownerId",
      createdAt: "__date(createdAt)",
    }),
  ],
  "a profile editor": [
    file("professional_profiles", "prof", "ename", {
      name: "displayName",
      skills: "skills",
      cvFileId: "__file(cvFileId)",
      workExperience: "workExperience",
      socialLinks: "socialLinks",
    }),
    users(),
  ],
} as const;

const RUNS = 1_000;
const id = fc.uuid();
const entity = fc.record({ id, ename: id.map((uuid) => `@${uuid}`), src: fc.webUrl() }, { requiredKeys: ["id"] });
const value = fc.oneof(
  fc.string(),
  fc.boolean(),
  id,
  fc.constant(null),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
);

/** A value that the read paths of a mapping may meet: of the shape that they name. */
function arbitraryRow(reads: readonly { readonly text: string }[]) {
  const members = reads.map(({ text }) => {
    const name = text.split(/[.[]/)[0] as string;
    if (text.includes("[]"))
      return [name, fc.array<unknown>(text.endsWith("[]") ? id : entity, { maxLength: 4 })] as const;
    if (text.endsWith("._seconds")) return [name, fc.record({ _seconds: fc.integer({ min: 0, max: 4e9 }) })] as const;
    return [name, text.includes(".") ? entity : value] as const;
  });
  return fc.record(Object.fromEntries(members), { requiredKeys: [] });
}

for (const [platform, documents] of Object.entries(PLATFORMS)) {
  test(`the mapping forms of ${platform} load, and their rows go out, back and out again unchanged`, () => {
    for (const mapping of createMappings(documents).list) {
      assert.deepEqual(
        mapping.entries.filter(({ loss }) => loss !== undefined),
        [],
      );
      fc.assert(
        fc.property(arbitraryRow(mapping.entries.flatMap(({ reads }) => reads)), (row) => {
          const once = toGlobal(mapping, row, KNOWN_GLOBAL).result;
          const back = fromGlobal(mapping, once, KNOWN_LOCAL).result;
          assert.deepEqual(toGlobal(mapping, back, KNOWN_GLOBAL).result, once);
        }),
        { numRuns: RUNS },
      );
    }
  });
}
