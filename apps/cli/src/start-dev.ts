import { createLog, type Log } from "@dataspace/service-kit/log";
import { startConstellation } from "@dataspace/system/constellation";

/**
 * Starts the development stack, creates its demo people at the first start, and prints the screen.
 *
 * Refuses: StartupError 75 and 78 as `startConstellation`; AbortError once `abort` fires. Source: decision P5.
 */
export async function startDev(
  env: Readonly<Record<string, string | undefined>>,
  abort: AbortSignal,
): Promise<AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  const report = (line: string): void => console.error(line);
  const constellation = opened.use(await startConstellation(env, { report, createLog: createServiceLog, abort }));
  // Only now, so that a data directory in use is reported at once.
  const [{ seedDemoIdentities }, { renderScreen }] = await Promise.all([
    import("@dataspace/system/demo-identities"),
    import("./dev-screen.ts"),
  ]);
  const identities = await seedDemoIdentities(constellation);
  abort.throwIfAborted();
  console.log(renderScreen({ constellation, identities, decorated: process.stdout.isTTY }));
  return opened.move();
}

/** A developer wants to see faults, not every request. */
function createServiceLog(service: string): Log {
  return createLog({ service, level: "warn", pretty: process.stdout.isTTY });
}
