import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { OPERATED_SERVICES } from "../src/operate/operated-services.ts";
import { findFaults } from "../src/operate/show-config.ts";
import { makeTemporaryDirectory } from "./support/temporary-directory.ts";

const COMPOSE = join(import.meta.dirname, "../../../deploy/compose.yaml");
/** The sandbox is for development. */
const NOT_DEPLOYED = ["sandbox"];

interface ComposeFile {
  readonly services: Readonly<Record<string, { readonly environment: Readonly<Record<string, string>> }>>;
}

/** What an operator writes into a secret's file, by the end of its name. */
function makeSecret(name: string): string {
  if (name === "database_url") return "postgresql://dataspace:a-good-one@postgres:5432/dataspace";
  if (!name.endsWith("_key")) return randomBytes(32).toString("base64url");
  const { privateKey } =
    name === "awareness_key" ? generateKeyPairSync("ed25519") : generateKeyPairSync("ec", { namedCurve: "P-256" });
  return JSON.stringify(privateKey.export({ format: "jwk" }));
}

test("with the environment that the Compose file gives it, each service has every setting that production asks for [decision P5]", async (t) => {
  await using place = await makeTemporaryDirectory();
  const { services } = parse(readFileSync(COMPOSE, "utf8"), { merge: true }) as ComposeFile;
  const secrets = join(place.path, "secrets");
  mkdirSync(secrets);
  const placed = (value: string): string => {
    if (!value.startsWith("/run/secrets/")) return value;
    const file = join(secrets, basename(value));
    writeFileSync(file, makeSecret(basename(value)), { mode: 0o600 });
    return file;
  };
  for (const service of OPERATED_SERVICES.filter(({ name }) => !NOT_DEPLOYED.includes(name))) {
    await t.test(service.name, () => {
      const given = services[service.name]?.environment ?? {};
      const own = Object.entries(given).map(([name, value]) => [name, placed(value)] as const);
      // What the image sets.
      const env = { ...Object.fromEntries(own), NODE_ENV: "production", DS_HOST: "0.0.0.0" };
      assert.deepEqual(
        findFaults(() => service.read(env)),
        [],
      );
    });
  }
});
