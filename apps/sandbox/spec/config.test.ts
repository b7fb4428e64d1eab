import assert from "node:assert/strict";
import { test } from "node:test";
import { envToSandboxConfig } from "../src/config.ts";

test("the sandbox listens on 8080 beside a registry and a provisioner of this machine, or as the settings say [P-SBX-001] [P-SBX-002] [P-SBX-003]", () => {
  assert.deepEqual(envToSandboxConfig({}), {
    host: "127.0.0.1",
    port: 8080,
    registryUrl: "http://127.0.0.1:4321",
    provisionerUrl: "http://127.0.0.1:4000",
    trustedProxies: [],
  });
  const env = {
    DS_SANDBOX_PORT: "9000",
    PUBLIC_REGISTRY_URL: "https://registry.example/",
    PUBLIC_PROVISIONER_URL: "https://new.example",
  };
  const { port, registryUrl, provisionerUrl } = envToSandboxConfig(env);
  assert.deepEqual([port, registryUrl, provisionerUrl], [9000, "https://registry.example", "https://new.example"]);
  assert.throws(() => envToSandboxConfig({ PUBLIC_REGISTRY_URL: "nowhere" }), {
    name: "StartupError",
    message: /PUBLIC_REGISTRY_URL/,
  });
});
