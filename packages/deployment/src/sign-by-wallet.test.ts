import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { parseEName } from "@dataspace/protocol/ename";
import { answerSignRequest } from "@dataspace/wallet/answer-request";
import { createNodeCryptoKey } from "@dataspace/wallet/node-crypto-key";
import { parseWalletUri, type SignRequest } from "@dataspace/wallet/parse-wallet-uri";
import { signText } from "@dataspace/wallet/sign-text";
import { signByWallet } from "./sign-by-wallet.ts";

const signer = parseEName("@33333333-3333-4333-8333-333333333333");
const text = "gitforge:deployment:v1:nGgEG7mnpHzRbtqNEQQ47zk3sLnqRmTj01ky1oR3fSw";

/** Asks for a signature and hands the address that is shown to `act`, as a wallet gets it. */
async function ask(
  accept: (signature: string) => boolean | Promise<boolean>,
  act: (request: SignRequest) => Promise<void>,
) {
  const acted = Promise.withResolvers<void>();
  const show = ({ uri }: { readonly uri: string }) => {
    act(parseWalletUri(uri) as SignRequest).then(acted.resolve, acted.reject);
  };
  const asked = signByWallet({ show, timeoutMs: 30_000 });
  const request = { signer, text, shown: { platform: "R&D +ü" }, accept: async (given: string) => accept(given) };
  const [signature] = await Promise.all([asked(request), acted.promise]);
  return signature;
}

function post(url: string, body: string): Promise<Response> {
  return fetch(url, { method: "POST", headers: { "content-type": "text/plain" }, body });
}

test("a wallet reads the address, shows what stands beside the text, and its signature arrives (decision I10)", async () => {
  const key = createNodeCryptoKey();
  let sent = "";
  const signature = await ask(
    (given) => given === sent,
    async (request) => {
      assert.equal(request.text, text);
      assert.deepEqual(request.context, { platform: "R&D +ü" });
      assert.equal(request.meaning.kind, "deployment");
      sent = await signText(key, text);
      const signing = { encoding: key.encoding, sign: async () => new Uint8Array(64) };
      // A first answer by another key is refused, and the wait goes on.
      await assert.rejects(answerSignRequest({ fetch }, request, { ename: signer, key: signing }));
      const preflight = await fetch(request.redirect, { method: "OPTIONS" });
      assert.equal(preflight.headers.get("access-control-allow-origin"), "*");
      const body = JSON.stringify({ sessionId: request.session, signature: sent, dsid: signer, message: text });
      assert.equal((await post(request.redirect, body)).status, 200);
    },
  );
  assert.equal(signature, sent);
});

test("answers for another session or text, damaged and endless ones, and other paths are refused without a check", async () => {
  const checked: string[] = [];
  const accept = (given: string) => checked.push(given) > 0;
  await ask(accept, async ({ redirect, session }) => {
    const answers = [
      "",
      "null",
      "[1",
      JSON.stringify({ sessionId: "another-session-0", signature: "x", message: text }),
      JSON.stringify({ sessionId: session, signature: "x", message: `${text}x` }),
      JSON.stringify({ sessionId: session, signature: 7, message: text }),
      JSON.stringify({ sessionId: session, signature: "x", message: text, pad: "y".repeat(70_000) }),
    ];
    for (const body of answers) {
      const status = await post(redirect, body).then(
        (response) => response.status,
        () => 400,
      );
      assert.equal(status, 400, body.slice(0, 80));
    }
    assert.equal((await fetch(redirect)).status, 404);
    assert.equal((await post(new URL("/other", redirect).href, "{}")).status, 404);
    assert.deepEqual(checked, []);
    await post(redirect, JSON.stringify({ sessionId: session, signature: "good" }));
  });
  assert.deepEqual(checked, ["good"]);
});

test("a peer that resets in the middle of a body ends nothing, and a wallet that leaves while its signature is checked has signed", async () => {
  const checked = Promise.withResolvers<void>();
  const accept = async (given: string) => {
    await checked.promise;
    return given === "good";
  };
  const signature = await ask(accept, async ({ redirect, session }) => {
    const { port, pathname } = new URL(redirect);
    const body = JSON.stringify({ sessionId: session, signature: "good" });
    const head = `POST ${pathname} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n`;
    const resetting = connect(Number(port), "127.0.0.1");
    await new Promise<void>((resolve) => resetting.write(`${head}{`, () => resolve()));
    resetting.resetAndDestroy();
    const leaving = connect(Number(port), "127.0.0.1");
    await new Promise<void>((resolve) => leaving.write(head + body, () => resolve()));
    await wait(50);
    leaving.destroy();
    await wait(50);
    checked.resolve();
  });
  assert.equal(signature, "good");
});

test("a wait without an answer ends with a sentence that says what to do", async () => {
  const asked = signByWallet({ show: () => undefined, timeoutMs: 20 });
  const waiting = asked({ signer, text, shown: {}, accept: async () => true });
  await assert.rejects(waiting, { code: "SIGNATURE_MISSING", message: /run the command again/ });
});
