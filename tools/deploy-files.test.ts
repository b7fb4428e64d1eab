import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const deploy = join(import.meta.dirname, "../deploy");
const read = (name: string): string => readFileSync(join(deploy, name), "utf8");

test("each service of the Compose file runs a command of dataspace with a read-only root and no capability, and its secrets exist", () => {
  const compose = read("compose.yaml");
  for (const line of ["read_only: true", "cap_drop: [ALL]", 'security_opt: ["no-new-privileges:true"]']) {
    assert.ok(compose.split("services:\n")[0]?.includes(`  ${line}`), line);
  }
  const blocks =
    (compose.split(/^services:$/m)[1] ?? "")
      .split(/^volumes:$/m)[0]
      ?.split(/^ {2}(?=[a-z])/m)
      .slice(1) ?? [];
  const own = blocks.filter((block) => !block.startsWith("postgres:"));
  assert.deepEqual(
    own.map((block) => block.split(":")[0]),
    ["migrate", "registry", "vault", "provisioner", "awareness", "login", "authority"],
  );
  for (const block of own) {
    assert.ok(block.includes("<<: *service"), block);
    assert.ok(block.includes(`command: [${block.split(":")[0]}]`), block);
  }
  for (const [, name] of compose.matchAll(/\/run\/secrets\/([a-z_]+)/g)) {
    assert.match(compose, new RegExp(`^  ${name}: \\{ file: `, "m"));
  }
});

/** The names of the secrets that a part of the Compose file reads from files. */
function secretsReadBy(text: string): readonly string[] {
  return [...text.matchAll(/\/run\/secrets\/([a-z_]+)/g)].map(([, name = ""]) => name);
}

test("each service of the Compose file gets exactly the secrets that its settings name, and a signing key or DS_SECRET has one reader", () => {
  const [head = "", services = ""] = read("compose.yaml").split(/^services:$/m);
  assert.doesNotMatch(head, /^ {2}secrets:/m, "every service would get them");
  const readers = new Map<string, string[]>();
  for (const block of (services.split(/^volumes:$/m)[0] ?? "").split(/^ {2}(?=[a-z])/m).slice(1)) {
    const service = block.split(":")[0] ?? "";
    const given = (/^ {4}secrets: \[([a-z_, ]+)\]$/m.exec(block)?.[1] ?? "").split(", ");
    const shared = block.includes("<<: *settings") ? secretsReadBy(head) : [];
    assert.deepEqual(given.toSorted(), [...new Set([...shared, ...secretsReadBy(block)])].toSorted(), service);
    for (const name of given) readers.set(name, [...(readers.get(name) ?? []), service]);
  }
  const expected = {
    database_url: ["migrate", "registry", "vault", "provisioner", "awareness", "login", "authority"],
    registry_shared_secret: ["registry", "vault", "provisioner"],
    ingest_secret: ["vault", "awareness"],
  };
  const several = [...readers].filter(([, services]) => services.length > 1);
  assert.deepEqual(Object.fromEntries(several), expected);
});

test("the image runs as an unprivileged user who owns /files, runs no install script and has no library for development", () => {
  const lines = read("Containerfile").split("\n");
  assert.ok(lines.lastIndexOf("USER node") > lines.findLastIndex((line) => line.startsWith("COPY")));
  const files = lines.findIndex((line) => line.startsWith("RUN mkdir /files && chown node:node /files"));
  assert.ok(files > lines.findLastIndex((line) => line.startsWith("FROM")) && files < lines.lastIndexOf("USER node"));
  assert.ok(lines.some((line) => line.includes("npm ci --omit=dev") && line.includes("--ignore-scripts")));
});

test("each unit gets the secrets of its own service as credentials, and of no other", () => {
  for (const [unit, directory] of [
    ["dataspace@.service", "%i"],
    ["dataspace-migrate.service", "migrate"],
  ] as const) {
    const lines = read(`systemd/${unit}`).split("\n");
    const loaded = lines.filter((line) => line.startsWith("LoadCredential="));
    assert.deepEqual(loaded, [`LoadCredential=secret:/etc/dataspace/secrets/${directory}`]);
    assert.ok(lines.includes("DynamicUser=yes"));
  }
});

const missing =
  spawnSync("systemd-analyze", ["--version"]).error === undefined ? false : "systemd-analyze is not installed";

test("systemd accepts the units", { skip: missing }, () => {
  const directory = mkdtempSync(join(tmpdir(), "dataspace-units-"));
  try {
    for (const [from, to] of [
      ["dataspace@.service", "dataspace@vault.service"],
      ["dataspace-migrate.service", "dataspace-migrate.service"],
    ] as const) {
      copyFileSync(join(deploy, "systemd", from), join(directory, to));
      // The programs are where the operator installs them; systemd only looks whether they exist.
      writeFileSync(
        join(directory, to),
        readFileSync(join(directory, to), "utf8").replace("/usr/bin/node", process.execPath),
      );
    }
    const units = ["dataspace@vault.service", "dataspace-migrate.service"].map((name) => join(directory, name));
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--recursive-errors=no", ...units], {
      encoding: "utf8",
    });
    const own = stderr.split("\n").filter((line) => line.includes("dataspace"));
    assert.deepEqual(own, [], `${status}`);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
