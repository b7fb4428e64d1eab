import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser } from "@dataspace/ui/test-browser";
import { openRecord, perform, provision, shareSandbox } from "./support/sandbox-page.ts";
import { startSamplePlatform } from "./support/start-sample-platform.ts";
import type { Page } from "playwright-core";

const openSandbox = shareSandbox();

async function listIdentities(page: Page): Promise<readonly (string | null)[]> {
  const options = page.getByRole("combobox", { name: "Identity" }).getByRole("option");
  return options.evaluateAll((all) => all.map((one) => one.getAttribute("value")));
}

test(
  "an identity is provisioned, logs in, signs, survives a reload beside a second one, and rolls an edit of its profile back [P-ADP-005] [P-SBX-009] [P-SBX-012] [P-SBX-013] [P-SBX-017] [P-SBX-018] [P-SBX-019] [P-SBX-020] [P-SBX-022] [P-SBX-023] [P-SBX-024] [P-DEC-200]",
  inBrowser,
  async (t) => {
    const { space, browser, page, faults } = await openSandbox(t);
    await using platform = await startSamplePlatform(space);
    const ename = await provision(page);
    assert.match(ename, /^@[0-9a-f-]{36}$/);
    const log = page.getByRole("log", { name: "Log" });
    for (const line of [/GET \S+\/entropy 200 \d+ ms, entropy/, /POST \S+\/provision 200/, /GET \S+\/whois 200/]) {
      await log.locator("summary", { hasText: line }).first().waitFor();
    }
    for (const step of [`Provisioned ${ename}`, "Synced the public key", "Wrote the profile of"]) {
      await log.getByText(step).first().waitFor();
    }

    const visitor = await browser.newPage();
    await visitor.goto(platform.url);
    const offer = (await visitor.getByRole("link", { name: "Open the wallet" }).getAttribute("href")) ?? "";
    await page.getByLabel("URI").fill(offer);
    await page.getByText("Your signature confirms a session, such as a login.").waitFor();
    await page.getByRole("button", { name: "Perform" }).click();
    await page.getByText("it accepted the signature").waitFor();
    await visitor.getByRole("heading", { name: "You are logged in" }).waitFor();
    assert.equal(await visitor.getByText(ename).count(), 1);
    await visitor.reload();
    await visitor.getByText(ename).waitFor();

    await page.getByLabel("Payload").fill("any text\n");
    await page.getByRole("button", { name: "Sign", exact: true }).click();
    await page.getByText(`Signed 9 characters as ${ename}`).waitFor();

    await page.reload();
    assert.equal(await page.getByRole("combobox", { name: "Identity" }).inputValue(), ename);
    const second = await provision(page);
    assert.deepEqual(await listIdentities(page), [ename, second]);

    await openRecord(page, "Profile");
    await page.getByText("Anybody else who is signed in may read.").waitFor();
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    const content = page.getByLabel("Content");
    await content.fill((await content.inputValue()).replace("Made up by the sandbox.", "Edited by hand."));
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Version 2").waitFor();
    assert.equal(await page.locator("ins", { hasText: "Edited by hand." }).count(), 1);
    assert.equal(await page.locator("del", { hasText: "Made up by the sandbox." }).count(), 1);
    await page.getByRole("button", { name: "Roll back to version 1" }).click();
    await page.getByText("as version 1 was").waitFor();
    assert.equal(await page.locator("ins", { hasText: "Made up by the sandbox." }).first().count(), 1);
    assert.match(await content.inputValue(), /Made up by the sandbox\./);
    assert.deepEqual(faults, []);
  },
);

test(
  "a long history is read page by page, and its first version is the one without a predecessor [S3 Sandbox]",
  inBrowser,
  async (t) => {
    const { page, faults } = await openSandbox(t);
    await provision(page);
    await openRecord(page, "Profile");
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    const content = page.getByLabel("Content");
    const profile = JSON.parse(await content.inputValue()) as object;
    for (let version = 2; version <= 24; version += 1) {
      await content.fill(JSON.stringify({ ...profile, bio: `Version ${version} of me.` }));
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText(`Version ${version}`, { exact: true }).waitFor();
    }
    const first = page.locator("article", { hasText: /^Version 1 / });
    assert.equal(await first.count(), 0);
    await page.getByRole("button", { name: "Older versions" }).click();
    await first.waitFor();
    assert.equal(await page.getByRole("button", { name: "Older versions" }).count(), 0);
    assert.equal(await page.locator("#records article").count(), 24);
    assert.equal(
      await page
        .locator("article", { hasText: /^Version 5 / })
        .locator("del")
        .textContent(),
      'bio: "Version 4 of me."',
    );
    await page.getByRole("button", { name: "Roll back to version 3", exact: true }).click();
    await page.getByText("as version 3 was").waitFor();
    assert.match(await content.inputValue(), /Version 3 of me\./);
    assert.deepEqual(faults, []);
  },
);

test(
  "a platform's refusals are shown in its words: a session used before, one that is not its own, a platform that is gone [S2 Errors]",
  inBrowser,
  async (t) => {
    const { space, page } = await openSandbox(t);
    const platform = await startSamplePlatform(space);
    t.after(() => platform[Symbol.asyncDispose]());
    await provision(page);
    const { uri } = (await (await fetch(`${platform.url}/api/auth/offer`)).json()) as { uri: string };
    const alert = page.locator("#request-result").getByRole("alert");
    await perform(page, uri);
    await page.getByText("it accepted the signature").waitFor();
    await perform(page, uri);
    await alert.getByText("The platform refused: This code was used already.").waitFor();
    await alert.getByText("Rule: SESSION_USED").waitFor();
    const last = page.getByRole("region", { name: "Last action" });
    await last.getByText("Request and answer").click();
    await last.getByText(`POST ${platform.url}/api/auth`).waitFor();
    await last.getByText("409", { exact: true }).waitFor();
    assert.match((await last.getByLabel("Sent").textContent()) ?? "", /"signature": "[A-Za-z0-9+/]{86}=="/);
    assert.match((await last.getByLabel("Received").textContent()) ?? "", /"code": "SESSION_USED"/);
    await perform(page, uri.replace(/session=[^&]+/, `session=${"a".repeat(43)}`));
    await alert.getByText("The platform refused: This code is unknown or too old").waitFor();
    await platform[Symbol.asyncDispose]();
    await page.getByRole("button", { name: "Perform" }).click();
    await alert.getByText(/^The platform does not answer now: .+ Try again in a while\.$/).waitFor();
    await last.getByText("Request and answer").click();
    await last.getByText("no answer", { exact: true }).waitFor();
    // Nothing is lost: the request is still there to be tried again.
    await alert.getByRole("button", { name: "Try again" }).waitFor();
  },
);

test(
  "a text that a platform asks to be signed is shown, signed and sent, from ds://sign and from its http address [P-SBX-014] [P-SBX-015] [P-SBX-016] [P-SBX-021]",
  inBrowser,
  async (t) => {
    const { space, page, faults } = await openSandbox(t);
    const ename = await provision(page);
    const callback = `${space.sandboxUrl}/callback`;
    const sent: unknown[] = [];
    await page.route(callback, (route) => {
      sent.push(route.request().postDataJSON());
      return route.fulfill({ json: {} });
    });
    const session = "abcdefghijklmnop";
    const data = Buffer.from(JSON.stringify({ message: "I agree.", sessionId: session })).toString("base64");
    const query = `session=${session}&data=${encodeURIComponent(data)}&redirect_uri=${encodeURIComponent(callback)}`;
    for (const uri of [`ds://sign?${query}`, `https://platform.example/sign?${query}`]) {
      await page.getByLabel("URI").fill(uri);
      await page.getByText("Your signature confirms this text and nothing else.").waitFor();
      assert.equal(await page.getByLabel("What is signed").textContent(), "I agree.");
      await page.getByRole("button", { name: "Perform" }).click();
      await page.getByText("accepted the signature.").waitFor();
    }
    assert.equal(sent.length, 2);
    for (const one of sent) {
      const { signature, ...rest } = one as { signature: string };
      assert.deepEqual(rest, { sessionId: session, dsid: ename, message: "I agree." });
      assert.match(signature, /^[A-Za-z0-9+/]{86}==$/);
    }
    await page
      .getByRole("log")
      .locator("summary", { hasText: /POST \S+\/callback 200/ })
      .first()
      .click();
    await page.getByRole("log").getByText('"message": "I agree."').first().waitFor();
    assert.deepEqual(faults, []);
  },
);

test(
  "hostile and broken requests are reported in a sentence, and nothing is signed [V-DEC-260] [V-DEC-261]",
  inBrowser,
  async (t) => {
    const { page } = await openSandbox(t);
    await provision(page);
    const cases: readonly [string, RegExp][] = [
      ["hello", /cannot act on this address/],
      ["javascript:alert(1)", /cannot act on this address/],
      ["ds://pay?session=abcdefghijklmnop", /cannot act on this address/],
      ["ds://auth?redirect=https%3A%2F%2Fa.example", /names no session/],
      ["ds://auth?redirect=https%3A%2F%2Fa.example&session=%zz", /percent-encoding/],
      ["ds://auth?redirect=https%3A%2F%2Fa.example&session=gitforge:deployment:v1:x&platform=A", /session/],
      ["ds://auth?redirect=http%3A%2F%2Felsewhere.example&session=abcdefghijklmnop&platform=A", /nothing is signed/],
      ["ds://auth?redirect=javascript%3Aalert(1)&session=abcdefghijklmnop&platform=A", /nothing is signed/],
      ["ds://sign?session=abcdefghijklmnop&redirect_uri=https%3A%2F%2Fa.example&data=AAAA", /signs nothing/],
    ];
    for (const [uri, said] of cases) {
      await page.getByLabel("URI").fill(uri);
      assert.match((await page.getByRole("alert").textContent()) ?? "", said, uri);
      assert.equal(await page.getByRole("button", { name: "Perform" }).isDisabled(), true, uri);
    }
  },
);

test(
  "an identity is exported to a file, forgotten, and is itself again after its import [S3 Sandbox]",
  inBrowser,
  async (t) => {
    const { page, faults } = await openSandbox(t);
    const ename = await provision(page);
    const exported = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export" }).click();
    const file = await (await exported).path();
    await page.getByRole("button", { name: "Forget" }).click();
    await page.getByRole("button", { name: /^Forget \w/ }).click();
    await page.getByRole("option", { name: "None yet" }).waitFor({ state: "attached" });
    await page
      .getByLabel("Identity file")
      .setInputFiles({ name: "x.json", mimeType: "application/json", buffer: Buffer.from("{}") });
    await page.getByRole("alert").getByText("This file holds no identity").waitFor();
    await page.getByLabel("Identity file").setInputFiles(file);
    await page.getByText(`Imported ${ename}`).waitFor();
    await page.getByLabel("Payload").fill("again");
    await page.getByRole("button", { name: "Sign", exact: true }).click();
    await page.getByText(`Signed 5 characters as ${ename}`).waitFor();
    assert.deepEqual(faults, []);
  },
);
