import { setTimeout as wait } from "node:timers/promises";
import type { SocialStore } from "@dataspace/social-app/store";
import { createOwner } from "../create-owner.ts";

/** Both example platforms, and where they take their people from. */
export interface PlatformsScene {
  readonly plaza: { readonly store: SocialStore };
  readonly corner: { readonly store: SocialStore };
  readonly space: { readonly registryUrl: string; readonly vaultUrl: string };
  readonly nowMs: () => number;
}

/** What the story came to: how long each edit took to the other platform, and whether both show the same at the end. */
export interface PlatformsOutcome {
  readonly editsMs: readonly number[];
  readonly isSame: boolean;
}

const EDITS = 20;
const PAUSE_MS = 1;
const PATIENCE_MS = 30_000;
/** One red pixel. */
const PICTURE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/**
 * Tells how two platforms share what two people write: a profile with a picture, a post that is edited on both, and a group chat.
 *
 * Out: the outcome. Refuses: Error when something does not arrive within 30 s; what a service refuses.
 */
export async function tellPlatformsStory(
  scene: PlatformsScene,
  print: (line: string) => void,
): Promise<PlatformsOutcome> {
  const { plaza, corner } = scene;
  const [ada, kofi] = [await createOwner(scene.space, undefined), await createOwner(scene.space, undefined)];
  const here = {
    ada: await addPerson(plaza.store, ada, "Ada Berg"),
    kofi: await addPerson(plaza.store, kofi, "Kofi Mensah"),
  };
  const picture = await arrive(scene, async () => {
    const found = await corner.store.people.findByEName(ada);
    return found?.picture?.startsWith("http") === true && (await corner.store.people.findByEName(kofi)) !== undefined;
  });
  print(`1. Ada and Kofi write their profiles at Plaza; both are at Corner, with pictures, after ${picture} ms`);
  await plaza.store.posts.write(here.ada.id, "Written at Plaza");
  print(
    `2. Ada writes a post at Plaza; it is at Corner after ${await arrive(scene, showsPost(corner.store, "Written at Plaza"))} ms`,
  );
  const editsMs: number[] = [];
  for (let edit = 1; edit <= EDITS; edit += 1) {
    const [from, to] = edit % 2 === 0 ? [plaza, corner] : [corner, plaza];
    const [post] = await from.store.posts.feed(undefined, 1);
    if (post === undefined) throw new Error("The post is gone.");
    const startMs = scene.nowMs();
    await from.store.posts.edit(post.id, `Edit ${edit}`);
    await arrive(scene, showsPost(to.store, `Edit ${edit}`));
    editsMs.push(scene.nowMs() - startMs);
  }
  print(`3. ${EDITS} edits, in turn at Corner and at Plaza, reach the other platform:`);
  print(`   ${summarise(editsMs)}`);
  const chatId = await plaza.store.chats.open(here.ada.id, "Weekend", [here.ada, here.kofi]);
  await plaza.store.chats.say(chatId, here.ada.id, "Who brings the tea?");
  const chatMs = await arrive(scene, async () => (await messagesOf(corner.store, kofi)).length === 1);
  print(`4. Ada opens a chat with Kofi at Plaza and writes; Kofi reads it at Corner after ${chatMs} ms`);
  const isSame = (await postsOf(plaza.store)) === (await postsOf(corner.store));
  print(`5. Both platforms show ${isSame ? "the same posts" : "DIFFERENT posts"}`);
  return { editsMs, isSame };
}

async function addPerson(store: SocialStore, ename: Awaited<ReturnType<typeof createOwner>>, name: string) {
  await store.people.add(ename);
  const person = await store.people.findByEName(ename);
  if (person === undefined) throw new Error(`${name} is not there.`);
  await store.people.change(person.id, { name, about: "", picture: PICTURE });
  return person;
}

async function arrive({ nowMs }: PlatformsScene, holds: () => Promise<boolean>): Promise<number> {
  const startMs = nowMs();
  while (!(await holds())) {
    if (nowMs() - startMs > PATIENCE_MS) throw new Error("It did not reach the other platform within 30 s.");
    await wait(PAUSE_MS);
  }
  return Math.round(nowMs() - startMs);
}

function showsPost(store: SocialStore, text: string): () => Promise<boolean> {
  return async () => (await store.posts.feed(undefined, 1)).some((post) => post.text === text);
}

async function postsOf(store: SocialStore): Promise<string> {
  const posts = await store.posts.feed(undefined, 100);
  return JSON.stringify(posts.map(({ author, text, writtenAt }) => [author?.ename, text, writtenAt]));
}

async function messagesOf(store: SocialStore, ename: string) {
  const person = await store.people.findByEName(ename);
  const [chat] = person === undefined ? [] : await store.chats.listOf(person.id, 1);
  return chat === undefined ? [] : store.chats.messages(chat.id, 10);
}

function summarise(editsMs: readonly number[]): string {
  const sorted = editsMs.toSorted((one, other) => one - other);
  const at = (part: number) => `${(sorted[Math.ceil(sorted.length * part) - 1] ?? 0).toFixed(0)} ms`;
  return `p50 ${at(0.5)}, p90 ${at(0.9)}, slowest ${at(1)} (the bar is p50 <= 100 ms)`;
}
