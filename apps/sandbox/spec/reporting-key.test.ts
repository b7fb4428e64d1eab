import assert from "node:assert/strict";
import { test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { answerSignRequest } from "@dataspace/wallet/answer-request";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { reportingKey } from "../browser/requests/reporting-key.ts";

const REQUEST = { kind: "sign", session: "s".repeat(32), redirect: "https://platform.example/callback" } as const;
const ENAME = parseEName("@11111111-2222-4333-8444-555555555555");

test("a signature is reported when it is made, also when the platform then refuses it, and never without one [decision I10]", async () => {
  const reported: string[] = [];
  const key = await createWalletKey();
  const fetch = async () => {
    reported.push("sent");
    return new Response(null, { status: 500 });
  };
  const signer = { ename: ENAME, key: reportingKey(key, () => reported.push("signed")) };
  await assert.rejects(answerSignRequest({ fetch }, { ...REQUEST, text: REQUEST.session } as never, signer));
  assert.deepEqual(reported, ["signed", "sent"]);
  const broken = { encoding: key.encoding, sign: () => Promise.reject(new Error("no key")) };
  const failing = { ename: ENAME, key: reportingKey(broken, () => reported.push("signed")) };
  await assert.rejects(answerSignRequest({ fetch }, { ...REQUEST, text: REQUEST.session } as never, failing));
  assert.deepEqual(reported, ["signed", "sent"]);
});
