import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { CHECKOUT_DIRECTORY } from "../checkout.ts";
import { seedDemoIdentities } from "../demo-identities.ts";
import { startTestSpace } from "./support/start-test-space.ts";

const MAIN = join(CHECKOUT_DIRECTORY, "apps/cli/src/main.ts");

function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, ...env } });
  const written = { stdout: "", stderr: "" };
  const listening = Promise.withResolvers<void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      written[name] += text;
      if (written.stderr.includes("Signing secret")) listening.resolve();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  void ended.then((code) => listening.reject(new Error(`ended with ${code}: ${written.stderr}`)));
  listening.promise.catch(() => undefined);
  return { written, ended, listening: listening.promise, kill: () => child.kill("SIGKILL") };
}

test("listen verifies and prints what trigger writes, forwards it with its signature, and ends its subscription; resend answers for a subscription", async () => {
  await using space = await startTestSpace();
  await seedDemoIdentities(space);
  const forwarded: (string | undefined)[] = [];
  const platform = createServer((request, response) => {
    forwarded.push(request.headers["webhook-signature"] as string | undefined);
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => platform.listen(0, "127.0.0.1", resolve));
  const forwardTo = `http://127.0.0.1:${(platform.address() as AddressInfo).port}/hook`;
  const env = { DS_AWARENESS_URL: space.awarenessUrl, DS_VAULT_URL: space.vaultUrl, DS_DATA_DIR: space.dataDirectory };
  let listener: ReturnType<typeof run> | undefined;
  try {
    listener = run(["listen", "--count", "3", "--json", "--forward-to", forwardTo], env);
    await listener.listening;
    const trigger = run(["trigger", "delete", "--json"], env);
    assert.equal(await trigger.ended, 0, trigger.written.stderr);
    const { id, owner } = JSON.parse(trigger.written.stdout) as { id: string; owner: string };
    assert.equal(await listener.ended, 0, listener.written.stderr);
    const events = listener.written.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      events.map(({ operation, id: record, dsid }) => [operation, record, dsid]),
      ["create", "update", "delete"].map((operation) => [operation, id, owner]),
    );
    assert.ok(forwarded.length >= 3 && forwarded.every((signature) => signature?.includes("v1,")));
    const subscriptions = await fetch(`${space.awarenessUrl}/api/subscriptions`);
    assert.doesNotMatch(await subscriptions.text(), /127\.0\.0\.1:\d+\/"/, "the subscription is gone");
    const resend = run(["resend", "11111111-1111-4111-8111-111111111111"], env);
    assert.equal(await resend.ended, 1);
    assert.match(resend.written.stderr, /^NOT_FOUND: /);
  } finally {
    listener?.kill();
    platform.close();
  }
});
