import { envToSandboxConfig, sandboxSettings } from "@dataspace/sandbox/config";
import { DEMO_PEOPLE } from "../home/demo-people-door.ts";
import type { BuiltService, ServiceDeps, ServiceRecipe } from "../service.ts";

/** The sandbox, as a part of the constellation, with its registry and provisioner. Source: S3 "Sandbox". */
export const sandboxRecipe: ServiceRecipe = {
  name: "sandbox",
  purpose: "a wallet in the browser; /home links everything, /docs is the documentation",
  portSetting: "DS_SANDBOX_PORT",
  urlSetting: "DS_SANDBOX_URL",
  defaultPort: 8080,
  settings: sandboxSettings,
  developmentDefaults: {},
  loopbackDefaults: {},
  storedSecrets: {},
  load: async () => {
    const [{ createSandboxServer }, { bundleBrowserApp }, { createUi }, { mountHome }] = await Promise.all([
      import("@dataspace/sandbox/server"),
      import("@dataspace/sandbox/bundle"),
      import("@dataspace/ui/ui"),
      import("../home/mount-home.ts"),
    ]);
    const code = { createSandboxServer, bundleBrowserApp, createUi, mountHome };
    return { migrations: [], build: (deps) => build(deps, code) };
  },
};

type Code = Pick<typeof import("@dataspace/sandbox/server"), "createSandboxServer"> &
  Pick<typeof import("@dataspace/sandbox/bundle"), "bundleBrowserApp"> &
  Pick<typeof import("@dataspace/ui/ui"), "createUi"> &
  Pick<typeof import("../home/mount-home.ts"), "mountHome">;

async function build({ env, base, cors }: ServiceDeps, code: Code): Promise<BuiltService> {
  const beside = { PUBLIC_REGISTRY_URL: env["DS_REGISTRY_URL"], PUBLIC_PROVISIONER_URL: env["DS_VAULT_URL"] };
  const config = envToSandboxConfig({ ...beside, ...env });
  const app = code.createSandboxServer(
    { log: base.log, metrics: base.metrics, app: code.bundleBrowserApp() },
    { ...config, cors, demoPeople: DEMO_PEOPLE },
  );
  code.mountHome(app, code.createUi(), env);
  return { app, host: config.host, port: config.port };
}
