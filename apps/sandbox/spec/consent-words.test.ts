import assert from "node:assert/strict";
import { test } from "node:test";
import { parseWalletUri } from "@dataspace/wallet/parse-wallet-uri";
import { consentWords } from "../browser/requests/consent-words.ts";

function ask(uri: string, name?: string) {
  const request = parseWalletUri(uri);
  assert.notEqual(request.kind, "file");
  return consentWords(request as Exclude<typeof request, { kind: "file" }>, name);
}

function signUri(message: string): string {
  const session = "abcdefghijklmnop";
  const data = Buffer.from(JSON.stringify({ message, sessionId: session })).toString("base64");
  return `ds://sign?session=${session}&data=${encodeURIComponent(data)}&redirect_uri=https%3A%2F%2Fa.example%2Fcb`;
}

test("a request is one plain sentence that begins with what happens and names the host, not the claimed name [decision I10]", () => {
  const login = ask(
    "ds://auth?redirect=https%3A%2F%2Fnotes.example%2F&session=abcdefghijklmnop&platform=Your%20bank",
    "Amina",
  );
  assert.deepEqual(login, {
    host: "notes.example",
    callsItself: "Your bank",
    wish: "Log in to notes.example as Amina",
    done: "Signed the login session for notes.example",
    isGrave: false,
  });
  assert.equal(ask(signUri("I agree.")).wish, "Sign a text for a.example");
  const deployment = ask(signUri("gitforge:deployment:v1:abc"), "Amina");
  assert.deepEqual([deployment.wish, deployment.isGrave], ["Authorise a deployment for a.example as Amina", true]);
  const policy = ask(signUri("ds:access-policy:v1:abc"));
  assert.equal(policy.wish, "Change which platforms may reach your vault, for a.example");
});
