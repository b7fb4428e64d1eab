import { runService } from "@dataspace/service-kit/run-service";
import type { Command } from "commander";

/** `dataspace dev`, which is `npm start`: the whole data space in one process. Source: decisions P3, P5. */
export function addDev(program: Command): void {
  program
    .command("dev")
    .description("the whole data space in one process, for development (npm start)")
    .action(runDev);
}

async function runDev(): Promise<never> {
  const { startConstellation } = await import("@dataspace/system/constellation");
  const start = async (abort: AbortSignal): Promise<AsyncDisposable> => {
    await using opened = new AsyncDisposableStack();
    const constellation = opened.use(
      await startConstellation(process.env, { report: (line) => console.error(line), createLog, abort }),
    );
    const [{ seedDemoIdentities }, { renderScreen }] = await Promise.all([
      import("@dataspace/system/demo-identities"),
      import("../dev-screen.ts"),
    ]);
    const identities = await seedDemoIdentities(constellation);
    abort.throwIfAborted();
    const seconds = performance.now() / 1000;
    console.log(renderScreen({ constellation, identities, seconds }, process.stdout.isTTY === true));
    return opened.move();
  };
  return await runService(start, { onError: (error) => console.error(error) });
}
