import { createLog } from "@dataspace/service-kit/log";
import { listenWithAdmin } from "@dataspace/service-kit/monitoring/listen-with-admin";
import { createMetrics } from "@dataspace/service-kit/monitoring/metrics";
import { bundleBrowserApp } from "./bundle.ts";
import { envToSandboxConfig } from "./config.ts";
import { createSandboxServer } from "./server.ts";

/** A sandbox that listens at `url` until it is disposed of. */
export interface RunningSandbox extends AsyncDisposable {
  readonly url: string;
}

/**
 * Starts a standalone sandbox. It stores nothing: identities are in the visitor's browser.
 *
 * Refuses: StartupError 78 for settings and ports. Source: S3 "Sandbox"; decision P6.
 */
export async function startSandbox(env: Readonly<Record<string, string | undefined>>): Promise<RunningSandbox> {
  const config = envToSandboxConfig(env);
  const log = createLog({ service: "sandbox", level: "info", pretty: false });
  const metrics = createMetrics({ log, monotonicMs: () => performance.now() });
  await using opened = new AsyncDisposableStack();
  const deps = { log, metrics, app: bundleBrowserApp() };
  const service = createSandboxServer(deps, { ...config, cors: { origins: "any" } });
  const at = { ...config, portSetting: "DS_SANDBOX_PORT" };
  const { url, adminUrl } = await listenWithAdmin(opened, { name: "sandbox", service, metrics, log }, at);
  log.info({ url, adminUrl }, "the sandbox listens");
  const running = opened.move();
  return { url, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
