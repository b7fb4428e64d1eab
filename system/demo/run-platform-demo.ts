import type { Environment } from "../service.ts";
import { findDataSpace } from "./find-data-space.ts";
import { tellPlatformStory } from "./platform-story.ts";

const EXIT_OTHERWISE = 1;

/**
 * Tells the platform's story in the data space that runs here, or in one of its own.
 *
 * Out: the exit code: 0 when the story came out as it should, 1 when not. Refuses: StartupError; what a service refuses.
 * Source: decision P5.
 */
export async function runPlatformDemo(run: {
  readonly env: Environment;
  readonly abort: AbortSignal;
  readonly print: (line: string) => void;
}): Promise<number> {
  await using opened = new AsyncDisposableStack();
  const space = await findDataSpace(opened, run.env, { report: run.print, abort: run.abort });
  const { first, postsRead, postsAfterPolicy, refusedBy, last } = await tellPlatformStory(space, run.print);
  const isRead = first.ok && postsRead === 1;
  const isNarrowed = postsAfterPolicy === 0 && refusedBy === "DOMAIN_REFUSED_BY_OWNER";
  return isRead && isNarrowed && last.failedAt === "accreditation" ? 0 : EXIT_OTHERWISE;
}
