import assert from "node:assert/strict";
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { listWebhookKeys, readWebhookSigningKey } from "@dataspace/awareness/delivery/webhook-signing-key";
import { readSigningKeySet } from "@dataspace/login/provider/signing-key-set";
import { readSigningKeys } from "@dataspace/service-kit/published-keys/signing-keys";
import { splitKeySet } from "@dataspace/service-kit/signing-jwk";
import { makeKey } from "../src/keys/make-key.ts";
import { rotateKeys } from "../src/keys/rotate-keys.ts";
import { startCommand } from "./support/start-command.ts";
import { makeTemporaryDirectory } from "./support/temporary-directory.ts";

/** Reads a setting as its service does. Out: the kids that it publishes, the first signing one first. */
const READERS: Readonly<Record<string, (text: string) => readonly string[]>> = {
  REGISTRY_SIGNING_KEY_JWK: kidsOfRegistry,
  DS_AUTHORITY_SIGNING_KEY_JWK: kidsOfRegistry,
  DS_OIDC_SIGNING_KEY_JWK: (text) => {
    const reading = readSigningKeySet(text);
    assert.ok("keys" in reading, JSON.stringify(reading));
    return reading.keys.map(({ kid }) => kid ?? "");
  },
  DS_AWARENESS_SIGNING_KEY_JWK: (text) => {
    const reading = readWebhookSigningKey(text);
    assert.ok("key" in reading, JSON.stringify(reading));
    return listWebhookKeys(reading.key).map(({ published }) => published.kid);
  },
};

function kidsOfRegistry(text: string): readonly string[] {
  const reading = readSigningKeys(text);
  assert.ok("keys" in reading, JSON.stringify(reading));
  return reading.keys.published.map(({ kid }) => kid);
}

for (const [setting, kidsOf] of Object.entries(READERS)) {
  test(`${setting}: each step is readable by its service, and no key signs that was not published a step before`, () => {
    const first = makeKey(setting);
    const [old] = kidsOf(first);
    const published = rotateKeys(setting, first, "publish");
    const [signing, next] = kidsOf(published);
    assert.equal(signing, old);
    const signed = rotateKeys(setting, published, "sign");
    assert.deepEqual(kidsOf(signed), [next, old]);
    assert.deepEqual(kidsOf(rotateKeys(setting, signed, "finish")), [next]);
    assert.ok(![old, next].includes(kidsOf(rotateKeys(setting, signed, "replace"))[0]));
    for (const [text, step] of [
      [first, "sign"],
      [first, "finish"],
      [published, "publish"],
      [published, "finish"],
      [signed, "sign"],
      [signed, "publish"],
      [rotateKeys(setting, signed, "finish"), "sign"],
    ] as const) {
      assert.throws(() => rotateKeys(setting, text, step), { exitCode: 78 });
    }
  });
}

test("dataspace keys create writes a new file that its owner alone may read, and overwrites none", async () => {
  await using place = await makeTemporaryDirectory();
  const file = join(place.path, "secret");
  await using create = startCommand(["keys", "create", "DS_SECRET", "--out", file], {});
  assert.equal(await create.ended, 0, create.stderr());
  const secret = await readFile(file, "utf8");
  assert.match(secret, /^[A-Za-z0-9_-]{43}\n$/);
  assert.ok(!create.stdout().includes(secret.trim()));
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  await using again = startCommand(["keys", "create", "DS_SECRET", "--out", file, "--json"], {});
  assert.equal(await again.ended, 78);
  assert.match(JSON.parse(again.stdout()).error.message, /exists already/);
  assert.equal(await readFile(file, "utf8"), secret);
});

test("dataspace keys rotate replaces the file in one step, with its owner and mode as they were, and prints no key", async () => {
  await using place = await makeTemporaryDirectory();
  const file = join(place.path, "login.jwk");
  await writeFile(file, makeKey("DS_OIDC_SIGNING_KEY_JWK"));
  await chmod(file, 0o640);
  const env = { DS_OIDC_SIGNING_KEY_JWK_FILE: file };
  await using rotate = startCommand(["keys", "rotate", "DS_OIDC_SIGNING_KEY_JWK", "publish"], env);
  assert.equal(await rotate.ended, 0, rotate.stderr());
  assert.equal(splitKeySet(await readFile(file, "utf8")).length, 2);
  assert.equal((await stat(file)).mode & 0o777, 0o640);
  assert.equal(rotate.stdout(), `${file} is written.\n`);
  assert.doesNotMatch(rotate.stderr(), /"d"/);
  await using wrong = startCommand(["keys", "rotate", "DS_SECRET", "publish"], { DS_SECRET: makeKey("DS_SECRET") });
  assert.equal(await wrong.ended, 78);
  assert.match(wrong.stderr(), /DS_SECRET holds no signing key/);
});
