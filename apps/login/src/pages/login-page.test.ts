import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { parseEName } from "@dataspace/protocol/ename";
import type { CheckFailure } from "@dataspace/wallet-login/wallet-check";
import type { LoginView } from "../logins/logins.ts";
import { chooseSpeech, fill } from "./choose-speech.ts";
import { LOGIN_SCRIPT } from "./login-files.ts";
import { renderLoginPage } from "./login-page.ts";
import { WORDS } from "./words-by-language.ts";

const MOST_HTML_BYTES = 14 * 1024;
const MOST_SCRIPT_BYTES = 5 * 1024;
const ADA = parseEName("@11111111-2222-4333-8444-555555555555");
const LANGUAGES = Object.keys(WORDS);
const FAILURES: readonly CheckFailure[] = [
  ...(["bad_signature", "no_certificate", "unknown_ename"] as const),
  ...(["upstream_timeout", "upstream_unavailable"] as const),
];

function viewOf(changes: Partial<LoginView> = {}): LoginView {
  return {
    request: { id: "an-id", clientId: "ds_client", redirectUri: "https://rp.example/callback", uiLocales: undefined },
    session: "s".repeat(43),
    state: "pending",
    failure: undefined,
    signed: undefined,
    secondsLeft: 300,
    ...changes,
  };
}

function render(view: LoginView, language = "en", client = "Notes"): Promise<string> {
  const walletUri = `ds://auth?redirect=${"r".repeat(200)}&session=${view.session}&platform=${encodeURIComponent(client)}`;
  return renderLoginPage(
    {
      view,
      client: { name: client, logoUrl: "/logo.png", host: "rp.example" },
      walletUri,
      sandboxUri: undefined,
      label: "Login",
    },
    chooseSpeech(language, undefined),
  );
}

/** The text between tags, as a reader has it. */
function textOf(html: string): string {
  return html.replaceAll(/<[^<>]*>/g, " ").replaceAll("&#39;", "'");
}

for (const language of LANGUAGES) {
  test(`in ${language} every state has its sentence and one first action, and no placeholder is left`, async () => {
    const speech = chooseSpeech(language, undefined);
    for (const failure of FAILURES) {
      const page = await render(viewOf({ state: "failed", failure }), language);
      assert.ok(textOf(page).includes(speech.words[failure]), failure);
      assert.equal(page.match(/<button class="button">/g)?.length, 1, failure);
      assert.ok(page.includes(`data-failure="${failure}"`));
      assert.ok(!page.includes("ds://auth"), "a dead code is not shown");
    }
    assert.ok(textOf(await render(viewOf({ state: "expired" }), language)).includes(speech.words.expired));
    const signed = { ename: ADA, amr: "swk", signedAtSeconds: 1, profile: {} } as const;
    const confirm = await render(viewOf({ state: "signed", signed }), language);
    assert.ok(textOf(confirm).includes(fill(speech.words.confirm, { ename: ADA })));
    for (const page of [await render(viewOf(), language), confirm]) {
      assert.doesNotMatch(textOf(page), /\{\w+\}/);
      assert.match(page, new RegExp(`<html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}">`));
    }
  });
}

test("each language has every text, with the placeholders of the English one", () => {
  for (const [language, words] of Object.entries(WORDS)) {
    for (const [name, english] of Object.entries(WORDS.en)) {
      const text = words[name as keyof typeof words];
      assert.ok(text !== "", `${language} ${name}`);
      const placeholders = (of: string) => [...of.matchAll(/\{\w+\}/g)].map(String).sort();
      assert.deepEqual(placeholders(text), placeholders(english), `${language} ${name}`);
    }
  }
});

test("the largest page has at most 14 KB of compressed HTML, and the script at most 5 KB", async () => {
  // Text that does not compress: the longest name that a client may have.
  const client = Array.from({ length: 64 }, (_, at) => String.fromCodePoint(0x4e00 + at * 251)).join("");
  for (const language of LANGUAGES) {
    assert.ok(gzipSync(await render(viewOf(), language, client)).length < MOST_HTML_BYTES, language);
  }
  assert.ok(gzipSync(LOGIN_SCRIPT.bytes).length < MOST_SCRIPT_BYTES);
});

test("a client's name is shown as text", async () => {
  const page = await render(viewOf(), "en", '<img src=x onerror="alert(1)">');
  assert.ok(!page.includes("<img src=x"));
});
