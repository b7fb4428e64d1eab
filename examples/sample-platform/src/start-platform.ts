import { systemClock } from "@dataspace/service-kit/clock";
import { listen } from "@dataspace/service-kit/http/listen";
import { createMemoryLoginStore } from "@dataspace/wallet-login/memory-login-store";
import { createRegistryCheck } from "@dataspace/wallet-login/registry-check";
import { createWalletLogin } from "@dataspace/wallet-login/wallet-login";
import type { Log } from "@dataspace/service-kit/log";
import { envToConfig } from "./config.ts";
import { createPlatform } from "./platform.ts";

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
  const config = envToConfig(env);
  const clock = systemClock;
  let url = "";
  const publicUrl = (): string => config.publicUrl ?? url;
  const onUnavailable = (error: Error): void =>
    log.warn({ err: error }, "the certified keys of an eName are not available");
  const login = createWalletLogin(
    { store: createMemoryLoginStore({ clock }), check: createRegistryCheck({ onUnavailable }, config) },
    { name: NAME, publicUrl, cookieName: "login" },
  );
  const server = await createPlatform({ log, clock, login }, { publicUrl });
  ({ url } = await listen(server, { ...config, portSetting: "PLATFORM_PORT" }));
  return { url, [Symbol.asyncDispose]: () => server.close() };
}
