import { createLog } from "@dataspace/service-kit/log";
import { runService } from "@dataspace/service-kit/run/run-service";
import { startPlatform } from "./start-platform.ts";

const log = createLog({ service: "sample-platform", level: "info", pretty: process.stdout.isTTY });
const start = async (): Promise<AsyncDisposable> => {
  const running = await startPlatform(process.env, log);
  log.info({ url: running.url }, "the sample platform listens");
  return running;
};
await runService(start, { onError: (error) => log.fatal({ err: error }, "the sample platform ends") });
