import assert from "node:assert/strict";
import { test } from "node:test";
import type { HandshakeAnswer } from "@dataspace/platform-auth/evidence";
import {
  answerTo,
  askChallenge,
  createPlatform,
  dpopHeaders,
  sendAnswer,
  shakeHands,
  startAuthority,
} from "./support/platforms.ts";
import { startVault } from "./support/start-vault.ts";
import { startVaultProcess } from "./support/start-vault-process.ts";

test("of 100 answers to one challenge, sent to two processes at once, one is judged with possession [P-VER-035] [P-RES-005]", async () => {
  await using authority = await startAuthority();
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const platform = await createPlatform(vault, authority);
  const settings = {
    DS_TRUSTED_AUTHORITIES: authority.origin,
    DS_REGISTRY_URL: vault.registry.url,
    DS_OUTGOING_ALLOW: "127.0.0.0/8",
    DS_RATE_LIMIT_HANDSHAKES: "0",
    DS_RATE_LIMIT_ANONYMOUS: "0",
  };
  await using first = await startVaultProcess(vault.database.url, settings);
  await using second = await startVaultProcess(vault.database.url, settings);
  const answer = await answerTo(await askChallenge(first.url, owner), platform);
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_none, turn) => {
      const response = await sendAnswer(turn % 2 === 0 ? first.url : second.url, owner, answer);
      return (await response.json()) as HandshakeAnswer;
    }),
  );
  const codes = answers.map(({ links }) => links[0]?.code).sort();
  assert.deepEqual(codes, [...Array.from({ length: 99 }, () => "challenge_unknown"), "ok"]);
  assert.equal(answers.filter(({ ok, session }) => ok && session !== undefined).length, 1);
});

test("a challenge and a session outlive the process that gave them [P-VER-035]", async () => {
  await using authority = await startAuthority();
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const platform = await createPlatform(vault, authority);
  const settings = {
    DS_TRUSTED_AUTHORITIES: authority.origin,
    DS_REGISTRY_URL: vault.registry.url,
    DS_OUTGOING_ALLOW: "127.0.0.0/8",
    DS_VAULT_URL: "http://vault.example",
  };
  const dying = await startVaultProcess(vault.database.url, settings);
  const answer = await answerTo(await askChallenge(dying.url, owner), platform);
  const { session } = await shakeHands(dying.url, owner, platform);
  await dying.kill("SIGKILL");
  await using next = await startVaultProcess(vault.database.url, settings);
  const judged = (await (await sendAnswer(next.url, owner, answer)).json()) as HandshakeAnswer;
  assert.equal(judged.ok, true);
  const { access_token: token } = session ?? assert.fail();
  const headers = await dpopHeaders(platform, token, { method: "GET", url: "http://vault.example/logs" });
  assert.equal((await fetch(`${next.url}/logs`, { headers: { "x-ename": owner, ...headers } })).status, 200);
});
