import { createLog } from "@dataspace/service-kit/log";
import { runService } from "@dataspace/service-kit/run/run-service";
import { startPlaza } from "./start-plaza.ts";

const log = createLog({ service: "plaza", level: "info", pretty: process.stdout.isTTY });
const start = async (): Promise<AsyncDisposable> => {
  const running = await startPlaza(process.env, log);
  log.info({ url: running.url }, "Plaza listens");
  return running;
};
await runService(start, { onError: (error) => log.fatal({ err: error }, "Plaza ends") });
