import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createSecret } from "@dataspace/service-kit/secret";
import type { S3Bucket } from "../../src/files/s3-blob-store.ts";

/** A real S3-compatible server on this machine, with one bucket and keys of its own. */
export interface S3Server extends AsyncDisposable {
  readonly bucket: S3Bucket;
  /** Where the bucket's objects lie as files. */
  readonly directory: string;
  /** Ends the server, as a crash of it would; `restart` brings it back at the same address with the same data. */
  readonly stop: () => Promise<void>;
  readonly restart: () => Promise<void>;
}

const BINARY = process.env["DS_TEST_S3_SERVER"] ?? join(homedir(), ".cache/dataspace/bin/versitygw");
const START_LIMIT_MS = 10_000;

/** Why tests on a real S3 server cannot run here, or false. Source: `.ci/run` builds it where there is Go. */
export const S3_MISSING: string | false = existsSync(BINARY)
  ? false
  : `no S3 server at ${BINARY}; with Go: GOBIN=~/.cache/dataspace/bin go install github.com/versity/versitygw/cmd/versitygw@v1.8.0`;

/** Starts a server on a free port with a fresh directory. Disposing of it ends it. */
export async function startS3(): Promise<S3Server> {
  await using stack = new AsyncDisposableStack();
  const root = await mkdtemp(join(tmpdir(), "vault-s3-"));
  stack.defer(() => rm(root, { recursive: true, force: true }));
  const directory = join(root, "data", "files");
  await mkdir(directory, { recursive: true });
  await mkdir(join(root, "attributes"));
  const port = await findFreePort();
  const keys = { keyId: randomBytes(10).toString("hex"), secret: randomBytes(20).toString("hex") };
  let server = await spawnServer({ root, port, ...keys });
  stack.defer(() => end(server));
  const owned = stack.move();
  return {
    bucket: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: "files",
      region: "us-east-1",
      keyId: keys.keyId,
      secret: createSecret(keys.secret),
    },
    directory,
    stop: () => end(server),
    restart: async () => {
      server = await spawnServer({ root, port, ...keys });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function spawnServer(start: {
  readonly root: string;
  readonly port: number;
  readonly keyId: string;
  readonly secret: string;
}): Promise<ChildProcess> {
  const { root, port, keyId, secret } = start;
  // Attributes beside the data: a temporary folder need not know extended ones.
  const storage = ["posix", "--sidecar", join(root, "attributes"), join(root, "data")];
  const child = spawn(BINARY, ["--port", `127.0.0.1:${port}`, "--quiet", ...storage], {
    env: { ROOT_ACCESS_KEY: keyId, ROOT_SECRET_KEY: secret, HOME: root },
    stdio: "ignore",
  });
  const deadline = performance.now() + START_LIMIT_MS;
  while (child.exitCode === null && performance.now() < deadline) {
    if (
      await fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      )
    )
      return child;
    await sleep(20);
  }
  await end(child);
  throw new Error(`the S3 server did not start (exit code ${child.exitCode})`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}

async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
