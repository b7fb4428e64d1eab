import { runService } from "@dataspace/service-kit/run/run-service";
import type { Command } from "commander";

/** `dataspace dev`, which is `npm start`: the whole data space in one process. Source: decisions P3, P5. */
export function addDev(program: Command): void {
  program
    .command("dev")
    .description("the whole data space in one process, for development (npm start)")
    .action(() => runService(start, { onError: (error) => console.error(error) }));
}

// Loaded once Ctrl-C is handled.
async function start(abort: AbortSignal): Promise<AsyncDisposable> {
  const { startDev } = await import("../start-dev.ts");
  return await startDev(process.env, abort);
}
