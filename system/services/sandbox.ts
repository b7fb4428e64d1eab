import { envToSandboxConfig, sandboxSettings } from "@dataspace/sandbox/config";
import type { BuiltService, ServiceDeps, ServiceRecipe } from "../service.ts";

/** The sandbox, as a part of the constellation, with its registry and provisioner. Source: S3 "Sandbox". */
export const sandboxRecipe: ServiceRecipe = {
  name: "sandbox",
  purpose: "a wallet in the browser, for trying things out",
  portSetting: "DS_SANDBOX_PORT",
  urlSetting: "DS_SANDBOX_URL",
  defaultPort: 8080,
  settings: sandboxSettings,
  developmentDefaults: {},
  loopbackDefaults: {},
  storedSecrets: {},
  load: async () => {
    const [{ createSandboxServer }, { bundleBrowserApp }] = await Promise.all([
      import("@dataspace/sandbox/server"),
      import("@dataspace/sandbox/bundle"),
    ]);
    return { migrations: [], build: (deps) => build(deps, { createSandboxServer, bundleBrowserApp }) };
  },
};

type Code = Pick<typeof import("@dataspace/sandbox/server"), "createSandboxServer"> &
  Pick<typeof import("@dataspace/sandbox/bundle"), "bundleBrowserApp">;

async function build({ env, log, metrics, cors }: ServiceDeps, code: Code): Promise<BuiltService> {
  const beside = { PUBLIC_REGISTRY_URL: env["DS_REGISTRY_URL"], PUBLIC_PROVISIONER_URL: env["DS_VAULT_URL"] };
  const config = envToSandboxConfig({ ...beside, ...env });
  const app = code.createSandboxServer({ log, metrics, app: code.bundleBrowserApp() }, { ...config, cors });
  return { app, host: config.host, port: config.port };
}
