import { createLog } from "@dataspace/service-kit/log";
import { runService } from "@dataspace/service-kit/run/run-service";
import { settingsError, unknownSettings } from "@dataspace/service-kit/settings/settings";
import { listKnownSettings } from "@dataspace/system/known-settings";
import { RECIPES } from "@dataspace/system/recipes";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Runs one service from start to exit, with settings from the environment.
 *
 * Refuses: exits with 78 for an unknown setting, otherwise as `runService`. Source: decisions P5, P6.
 */
export async function runAlone(
  service: string,
  start: (env: Environment, abort: AbortSignal) => Promise<AsyncDisposable>,
): Promise<never> {
  const log = createLog({ service, level: "info", pretty: false });
  const startChecked = async (abort: AbortSignal): Promise<AsyncDisposable> => {
    const unknown = unknownSettings(process.env, listKnownSettings(RECIPES));
    if (unknown.length > 0) throw settingsError(unknown);
    return await start(process.env, abort);
  };
  return await runService(startChecked, { onError: (error) => log.fatal({ err: error }, "the service ends") });
}
