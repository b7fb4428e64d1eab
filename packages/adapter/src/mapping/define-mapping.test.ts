import assert from "node:assert/strict";
import { test } from "node:test";
import { createMappings } from "./create-mappings.ts";
import { defineMapping } from "./define-mapping.ts";

interface Author {
  readonly id: string;
  readonly ename: string;
}
interface Post {
  readonly text: string;
  readonly at: Date;
  readonly author: Author;
  readonly likes: readonly Author[] | null;
}
interface SocialMediaPost {
  readonly content: string;
  readonly createdAt: string;
  readonly authorId: string;
  readonly likedBy: readonly string[];
}

const posts = defineMapping<Post, SocialMediaPost>({
  tableName: "posts",
  schemaId: "550e8400-e29b-41d4-a716-446655440001",
  ownerEnamePath: "users(author.ename)",
  localToUniversalMap: {
    text: "content",
    at: "__date(at),createdAt",
    author: "users(author.id),authorId",
    likes: "users(likes[].id),likedBy",
  },
  localTypes: { at: "date" },
});

test("a typed mapping is a mapping, and a field that neither side has does not compile", () => {
  const users = defineMapping<Author, { readonly name: string }>({
    tableName: "users",
    schemaId: "550e8400-e29b-41d4-a716-446655440000",
    ownerEnamePath: "ename",
    localToUniversalMap: { ename: "name" },
  });
  // @ts-expect-error: Author has no field nickname
  defineMapping<Author, SocialMediaPost>({ ...users, localToUniversalMap: { nickname: "content" } });
  // @ts-expect-error: SocialMediaPost has no field title
  defineMapping<Author, SocialMediaPost>({ ...users, localToUniversalMap: { id: "title" } });
  const { byTable } = createMappings([posts, users]);
  assert.deepEqual(
    byTable.get("posts")?.entries.map(({ form }) => form),
    ["field", "date", "relation", "relations"],
  );
});
