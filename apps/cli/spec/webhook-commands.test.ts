import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { startCommand } from "./support/start-command.ts";

const SUBSCRIPTION = "0193f3c6-0000-7000-8000-000000000000";

let answer: { readonly status: number; readonly body: unknown };
let url: string;
const awareness = createServer((request, response) => {
  request.resume();
  response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.body));
});

before(async () => {
  await new Promise<void>((resolve) => awareness.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(awareness.address() as AddressInfo).port}`;
});
after(() => {
  awareness.closeAllConnections();
  awareness.close();
});

test("listen and resend end with 1 for a refusal, 69 for a service that does not answer, 77 for a refused credential and 78 for a setting", async () => {
  for (const args of [["listen"], ["resend", SUBSCRIPTION]] as const) {
    for (const [status, code, exit] of [
      [404, "NOT_FOUND", 1],
      [401, "UNAUTHENTICATED", 77],
      [503, "UNAVAILABLE", 69],
    ] as const) {
      answer = { status, body: { error: { code, message: "hostile \u001b[2J text" } } };
      await using refused = startCommand(args, { DS_AWARENESS_URL: url });
      assert.equal(await refused.ended, exit, args[0]);
      assert.equal(refused.stderr(), `${code}: hostile \ufffd[2J text\n`);
      await using json = startCommand([...args, "--json"], { DS_AWARENESS_URL: url });
      assert.equal(await json.ended, exit);
      assert.deepEqual(JSON.parse(json.stdout()), { error: { code, message: "hostile \u001b[2J text" } });
    }
    await using none = startCommand(args, { DS_AWARENESS_URL: "http://127.0.0.1:9" });
    assert.equal(await none.ended, 69);
    assert.match(none.stderr(), /^UNAVAILABLE: No awareness service answers at http:\/\/127\.0\.0\.1:9/);
    await using wrong = startCommand(args, { DS_AWARENESS_URL: "none" });
    assert.equal(await wrong.ended, 78);
  }
});

test("resend prints the answer's members one a line, and with --json the answer", async () => {
  answer = { status: 202, body: { redriven: 3, note: "\u009b2J" } };
  await using lines = startCommand(["resend", SUBSCRIPTION], { DS_AWARENESS_URL: url });
  assert.equal(await lines.ended, 0, lines.stderr());
  assert.equal(lines.stdout(), 'redriven: 3\nnote: "\ufffd2J"\n');
  await using json = startCommand(["resend", SUBSCRIPTION, "--json"], { DS_AWARENESS_URL: url });
  assert.equal(await json.ended, 0);
  assert.doesNotMatch(json.stdout().trimEnd(), /\p{Cc}/u);
  assert.deepEqual(JSON.parse(json.stdout()), answer.body);
});

test("trigger ends with 78 before the first start of a development stack", async () => {
  await using none = startCommand(["trigger"], { DS_DATA_DIR: "/nonexistent", DS_VAULT_URL: "http://127.0.0.1:9" });
  assert.equal(await none.ended, 78);
  assert.match(none.stderr(), /^SETTINGS: /);
});
