import { createLog } from "@dataspace/service-kit/log";
import { runService } from "@dataspace/service-kit/run/run-service";
import { startCorner } from "./start-corner.ts";

const log = createLog({ service: "corner", level: "info", pretty: process.stdout.isTTY });
const start = async (): Promise<AsyncDisposable> => {
  const running = await startCorner(process.env, log);
  log.info({ url: running.url }, "Corner listens");
  return running;
};
await runService(start, { onError: (error) => log.fatal({ err: error }, "Corner ends") });
