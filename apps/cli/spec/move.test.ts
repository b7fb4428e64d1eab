import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { access, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { decodePublicKey } from "@dataspace/protocol/public-key";
import { systemClock } from "@dataspace/service-kit/clock";
import { openTestDatabase, TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import { createProvisionedVault } from "@dataspace/vault/provisioning";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createNodeCryptoKey } from "@dataspace/wallet/node-crypto-key";
import { type RunningCommand, startCommand } from "./support/start-command.ts";
import { makeTemporaryDirectory } from "./support/temporary-directory.ts";

const SECRET = randomBytes(32).toString("base64url");

async function listens(service: RunningCommand): Promise<string> {
  await service.shows("listens");
  return /"url":"(http:[^"]+)"/.exec(service.stdout())?.[1] ?? "";
}

/** A registry, two vault services with databases of their own, and an owner at the first one. */
async function startSpace() {
  await using stack = new AsyncDisposableStack();
  const [here, there] = [
    stack.use(await openTestDatabase(process.env[TEST_SERVER_SETTING])),
    stack.use(await openTestDatabase(process.env[TEST_SERVER_SETTING])),
  ];
  const files = stack.use(await makeTemporaryDirectory());
  const signing = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  const settings = { REGISTRY_SHARED_SECRET: SECRET, DS_OUTGOING_ALLOW: "127.0.0.0/8", DS_SECRET: SECRET };
  const registry = stack.use(
    startCommand(["registry"], {
      ...{ ...settings, DATABASE_URL: here.url, DS_REGISTRY_PORT: "0" },
      REGISTRY_SIGNING_KEY_JWK: JSON.stringify(signing),
    }),
  );
  const registryUrl = await listens(registry);
  const vaultAt = (databaseUrl: string, folder: string) =>
    stack.use(
      startCommand(["vault"], {
        ...{ ...settings, DATABASE_URL: databaseUrl, DS_VAULT_PORT: "0", DS_REGISTRY_URL: registryUrl },
        DS_FILES: join(files.path, folder),
      }),
    );
  const [from, to] = await Promise.all([listens(vaultAt(here.url, "a")), listens(vaultAt(there.url, "b"))]);
  const key = createNodeCryptoKey();
  const owner = parseEName(randomUUID());
  const publicKey = { text: key.publicKey, point: decodePublicKey(key.publicKey).point };
  await here.transaction((tx) =>
    createProvisionedVault(tx, { owner, vaultId: `@${randomUUID()}`, publicKey, nowMs: Date.now() }),
  );
  const registered = await fetch(`${registryUrl}/register`, {
    method: "POST",
    headers: { authorization: `Bearer ${SECRET}`, "content-type": "application/json" },
    body: JSON.stringify({ ename: owner, uri: from, vault: "@v" }),
  });
  assert.equal(registered.status, 201);
  const keyFile = join(files.path, "key.jwk");
  await writeFile(keyFile, JSON.stringify(await key.exportJwk()));
  const ask = async (base: string, query: string, variables: object = {}) => {
    const token = await issueWalletToken({ key, clock: systemClock }, { ename: owner, audience: owner });
    const response = await fetch(`${base}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-ename": owner, authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables }),
    });
    return (await response.json()) as { data: Record<string, never>; error?: { code: string; message: string } };
  };
  const move = (...more: readonly string[]) =>
    startCommand(
      [
        ...["vault", "move", owner, "--to", to, "--wallet-key", keyFile, "--registry", registryUrl],
        ...["--archive", join(files.path, "archive.gz"), "--json", ...more],
      ],
      {},
    );
  const owned = stack.move();
  const admit = async () => {
    await using admitted = startCommand(["vault", "admit", owner], { DATABASE_URL: there.url });
    assert.equal(await admitted.ended, 0, admitted.stderr());
    return admitted.stdout().trim();
  };
  const archive = join(files.path, "archive.gz");
  return { owner, from, to, registryUrl, archive, ask, move, admit, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const CREATE = `mutation ($input: MetaEnvelopeInput!) { createMetaEnvelope(input: $input) { metaEnvelope { id } errors { code message } } }`;
const LIST = "{ metaEnvelopes(first: 100) { totalCount edges { node { id parsed } } } }";

interface Space {
  readonly owner: EName;
  readonly ask: (base: string, query: string, variables?: object) => Promise<{ data: Record<string, never> }>;
}

async function write(space: Space, base: string, title: string): Promise<string> {
  const { data } = await space.ask(base, CREATE, { input: { ontology: "note", payload: { title } } });
  const { errors } = (data as unknown as { createMetaEnvelope: { errors: { code: string }[] } }).createMetaEnvelope;
  return errors[0]?.code ?? "written";
}

/** A vault process remembers for 5 s that an owner is there. */
async function askUntilMoved(base: string, owner: EName) {
  for (let tries = 0; ; tries += 1) {
    const { status, json } = await whois(base, owner);
    if (status !== 200 || tries === 40) return { status, ...json };
    await sleep(250);
  }
}

async function whois(base: string, owner: EName) {
  const response = await fetch(`${base}/whois`, { headers: { "x-ename": owner } });
  const json = (await response.json()) as { error?: { code: string; message: string } };
  return { status: response.status, json };
}

test("a move that is killed while it exports, imports and switches is finished by running it again, and no acknowledged write is lost (decision V18) [V-DEC-688] [V-DEC-689]", async () => {
  await using space = await startSpace();
  const { from, to, registryUrl, owner } = space;
  for (let index = 0; index < 30; index += 1) assert.equal(await write(space, from, `note ${index}`), "written");
  await using refused = space.move();
  assert.equal(await refused.ended, 77, refused.stderr());
  assert.match(refused.stdout(), /IMPORT_NOT_ADMITTED/);
  assert.equal(await write(space, from, "while it moves"), "VAULT_READ_ONLY");
  await using undone = space.move("--undo");
  assert.equal(await undone.ended, 0, undone.stderr());
  assert.equal(await write(space, from, "after it was undone"), "written");
  const code = await space.admit();
  for (const step of ["2/6", "4/6", "5/6"]) {
    await using killed = space.move("--code", code);
    await killed.shows(step).catch(() => undefined);
    killed.kill("SIGKILL");
    await killed.ended;
  }
  await using moving = space.move("--code", code);
  assert.equal(await moving.ended, 0, moving.stdout() + moving.stderr());
  const { data } = await space.ask(to, LIST);
  assert.equal((data as unknown as { metaEnvelopes: { totalCount: number } }).metaEnvelopes.totalCount, 31);
  const resolved = (await (await fetch(`${registryUrl}/resolve?dsid=${owner}`)).json()) as { uri: string };
  assert.equal(resolved.uri, to);
  assert.equal(await write(space, to, "at the new place"), "written");
  const { status, error } = await askUntilMoved(from, owner);
  assert.deepEqual([status, error?.code, error?.message.includes(to)], [404, "VAULT_MOVED", true]);
  await using again = space.move();
  assert.equal(await again.ended, 0, again.stderr());
  // The owner named the archive, so it stays, and the command says so; the note of the move is gone.
  assert.equal(JSON.parse(moving.stdout()).archive, space.archive);
  await assert.rejects(access(`${space.archive}.move`));
});
