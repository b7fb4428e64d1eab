import { systemClock } from "@dataspace/service-kit/clock";
import { listen } from "@dataspace/service-kit/http/listen";
import { createGuardedFetch } from "@dataspace/service-kit/outgoing/guarded-fetch";
import { createHostResolver } from "@dataspace/service-kit/outgoing/host-resolver";
import type { Log } from "@dataspace/service-kit/log";
import { envToConfig } from "./config.ts";
import { createLogins } from "./logins.ts";
import { createPlatform } from "./platform.ts";
import { createVerifyLogin } from "./verify-login.ts";

/** A platform that listens at `url` until it is disposed of. */
export interface RunningPlatform extends AsyncDisposable {
  readonly url: string;
}

const NAME = "Sample platform";

/** Starts the platform. Refuses: StartupError 78 for settings and the port. */
export async function startPlatform(
  env: Readonly<Record<string, string | undefined>>,
  log: Log,
): Promise<RunningPlatform> {
  const { outgoingAllow, ...config } = envToConfig(env);
  const clock = systemClock;
  const guardedFetch = createGuardedFetch({ resolveHost: createHostResolver() }, { allow: outgoingAllow });
  const logins = createLogins({ log, clock, hasSigned: createVerifyLogin({ fetch, guardedFetch, clock }, config) });
  let url = "";
  const publicUrl = (): string => config.publicUrl ?? url;
  const server = await createPlatform({ log, clock, logins }, { name: NAME, publicUrl });
  ({ url } = await listen(server, { ...config, portSetting: "PLATFORM_PORT" }));
  return { url, [Symbol.asyncDispose]: () => server.close() };
}
