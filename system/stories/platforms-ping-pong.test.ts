import assert from "node:assert/strict";
import { test } from "node:test";
import { ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import { createSeededRandom } from "@dataspace/service-kit/testing/test-random";
import { createVaultClients } from "@dataspace/vault-client/vault-clients";
import type { Constellation } from "../constellation.ts";
import { createOwner } from "../create-owner.ts";
import { type AnyPlatform, postsOf, until, untilQuiet } from "./support/settle-platforms.ts";
import { openPlatformHome } from "./support/start-example-platforms.ts";
import { startTestSpace } from "./support/start-test-space.ts";

/** DS_PING_PONG_EDITS=1000 is the long form. */
const EDITS = Number(process.env["DS_PING_PONG_EDITS"] ?? 60);
const POSTS = 4;
const RESTARTS = 4;

interface FeedAnswer {
  readonly packets: readonly { readonly operation: string }[];
  readonly cursor: string;
}

/** The posts of a vault as `postsOf` shows rows, and how many versions they have together. */
async function readVault(space: Constellation, owner: string) {
  const vault = createVaultClients({ registryUrl: space.registryUrl }).vault(owner);
  const posts: string[] = [];
  let versions = 0;
  for await (const { id, parsed } of vault.list({ ontologyId: ONTOLOGY_ID.SocialMediaPost })) {
    const { content, createdAt } = parsed as Record<string, string>;
    posts.push(`${owner} ${content} ${createdAt}`);
    for await (const _version of vault.history(id)) versions += 1;
  }
  let profiles = 0;
  for await (const _profile of vault.list({ ontologyId: ONTOLOGY_ID.User })) profiles += 1;
  return { posts: posts.sort(), versions, profiles };
}

async function edit(platform: AnyPlatform, other: AnyPlatform, { at, text }: { at: number; text: string }) {
  const posts = await platform.store.posts.feed(undefined, POSTS);
  const post = posts.toSorted((one, two) => (one.writtenAt < two.writtenAt ? -1 : 1))[at];
  assert.ok(post !== undefined);
  await platform.store.posts.edit(post.id, text);
  await until(`${text} is at the other platform`, async () =>
    (await postsOf(other)).some((shown) => shown.includes(` ${text} `)),
  );
}

test(`${EDITS} edits between two platforms on real vaults, with restarts: no echo, no duplicate, both databases equal to the vault`, async (t) => {
  await using space = await startTestSpace();
  await using home = await openPlatformHome(space);
  const owner = await createOwner(space, undefined);
  const open = async () => [await home.startPlaza(), await home.startCorner()] as const;
  let both = await open();
  await both[0].store.people.add(owner);
  // A post that is sent before its author's profile gets its author by a second write.
  await untilQuiet(both);
  const author = await both[0].store.people.findByEName(owner);
  for (let at = 0; at < POSTS; at += 1) await both[0].store.posts.write(author?.id ?? "", `post ${at}`);
  // An edit of a post that was not sent yet would be part of its creation.
  await until("all posts are at both", async () => {
    const posts = await postsOf(both[1]);
    return posts.length === POSTS && posts.every((post) => post.startsWith(owner));
  });
  const random = createSeededRandom(20_261_123);
  const editsMs: number[] = [];
  for (let count = 0; count < EDITS; count += 1) {
    const [from, to] = [both[count % 2] as AnyPlatform, both[(count + 1) % 2] as AnyPlatform];
    const startedMs = performance.now();
    await edit(from, to, { at: Math.floor(random() * POSTS), text: `edit ${count}` });
    editsMs.push(performance.now() - startedMs);
    if ((count + 1) % Math.ceil(EDITS / RESTARTS) !== 0) continue;
    for (const platform of both) await platform[Symbol.asyncDispose]();
    both = await open();
  }
  await untilQuiet(both);
  const sortedMs = editsMs.toSorted((one, other) => one - other);
  const [p50, p90] = [0.5, 0.9].map((part) => Math.round(sortedMs[Math.floor(EDITS * part)] ?? 0));
  t.diagnostic(`from an edit to the other platform: p50 ${p50} ms, p90 ${p90} ms`);
  const vault = await readVault(space, owner);
  assert.deepEqual(await postsOf(both[0]), vault.posts);
  assert.deepEqual(await postsOf(both[1]), vault.posts);
  assert.deepEqual([vault.posts.length, vault.profiles], [POSTS, 1]);
  assert.equal(vault.versions, POSTS + EDITS, "every version is a creation or an edit: none is an echo");

  // Corner is away while posts are written, edited and deleted, and catches up by its cursor before it says that it runs.
  const [plaza, corner] = both;
  await corner[Symbol.asyncDispose]();
  const [first, second] = await plaza.store.posts.feed(undefined, 2);
  await plaza.store.posts.write(author?.id ?? "", "written meanwhile");
  await plaza.store.posts.edit(first?.id ?? "", "edited meanwhile");
  await plaza.store.posts.remove(second?.id ?? "");
  await untilQuiet([plaza]);
  const expected = (await readVault(space, owner)).posts;
  let after = "0";
  await until("the feed has all of it", async () => {
    const feed = await fetch(`${space.awarenessUrl}/api/packets?limit=100&vault=${owner}&cursor=${after}`);
    const { packets, cursor } = (await feed.json()) as FeedAnswer;
    after = cursor;
    return packets.some(({ operation }) => operation === "delete");
  });
  const back = await home.startCorner();
  assert.deepEqual(await postsOf(back), expected);
  assert.deepEqual(await postsOf(plaza), expected);
});
