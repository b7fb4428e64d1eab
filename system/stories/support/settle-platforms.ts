import { setTimeout as wait } from "node:timers/promises";
import type { Dataspace } from "@dataspace/social-app/dataspace";
import type { SocialStore } from "@dataspace/social-app/store";

/** One of the example platforms, whatever its database. */
export interface AnyPlatform {
  readonly store: SocialStore;
  readonly dataspace: { readonly adapter: Pick<Dataspace<unknown>["adapter"], "status"> };
}

const PAUSE_MS = 5;
const MOST_TRIES = 6_000;

/** Waits until something holds, at most half a minute. Refuses: Error that names it. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    if (await holds()) return;
    await wait(PAUSE_MS);
  }
  throw new Error(`never: ${what}`);
}

/** Waits until no platform has anything to send. */
export async function untilQuiet(platforms: readonly AnyPlatform[]): Promise<void> {
  await until("all platforms are quiet", async () => {
    const states = await Promise.all(platforms.map(({ dataspace }) => dataspace.adapter.status()));
    return states.every(({ waiting, parked }) => waiting + parked === 0);
  });
}

/** All posts of a platform as `author text time`, sorted. */
export async function postsOf({ store }: AnyPlatform): Promise<readonly string[]> {
  const posts = await store.posts.feed(undefined, 1_000);
  return posts.map(({ author, text, writtenAt }) => `${author?.ename} ${text} ${writtenAt}`).sort();
}
