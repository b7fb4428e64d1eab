import assert from "node:assert/strict";
import { test } from "node:test";
import { ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import { inBrowser, openBrowser } from "@dataspace/ui/test-browser";
import { createWalletPerson } from "../demo/platform-people.ts";
import { openOwnerVault } from "../open-owner-vault.ts";
import { inspect, logIn, openVisitor } from "./support/platform-visitor.ts";
import { openPlatformHome } from "./support/start-example-platforms.ts";
import { startTestSpace } from "./support/start-test-space.ts";
import type { Page } from "playwright-core";

const HOSTILE = `<img src=x onerror="document.title='owned'"><script>document.title = "owned"</script> & "quotes"`;
/** Sixteen red pixels. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAAEElEQVR4nGP4z8AARwzEcQCukw/x0F8jngAAAABJRU5ErkJggg==",
  "base64",
);
const DESK = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };

async function writePost(page: Page, text: string): Promise<void> {
  await page.getByLabel("New post").fill(text);
  await page.getByRole("button", { name: "Publish" }).click();
}

test(
  "two people use both platforms in a browser: posts, edits, pictures and a chat of one are at the other, and hostile text is text (S3 Platform adapter)",
  inBrowser,
  async (t) => {
    await using space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
    await using home = await openPlatformHome(space);
    const [plaza, corner] = [await home.startPlaza(), await home.startCorner()];
    const browser = await openBrowser();
    t.after(() => browser.close());
    const [ada, kofi] = [await createWalletPerson(space), await createWalletPerson(space)];
    const profile = { ename: ada.ename, displayName: "Ada Berg", bio: "Draws maps." };
    await openOwnerVault(space, ada).create({ ontology: ONTOLOGY_ID.User, payload: profile, acl: ["*"] });
    const desk = await openVisitor(browser, "light", DESK);
    const phone = await openVisitor(browser, "dark", PHONE);
    const barriers: string[] = [];
    const look = async (visitor: typeof desk, name: string) => barriers.push(...(await inspect(visitor, name)));

    await desk.page.goto(plaza.url);
    await look(desk, "login");
    await logIn(desk, plaza.url, ada);
    await look(desk, "feed-empty");
    await logIn(phone, corner.url, kofi);
    await phone.page.goto(`${corner.url}/profile`);
    await phone.page.getByLabel("Name", { exact: true }).fill("Kofi Mensah");
    await phone.page.getByRole("button", { name: "Save" }).click();
    await phone.page.getByText("Your profile is saved.").waitFor();
    await look(phone, "profile-phone");

    // A post of Plaza is at Corner as it was written, its author edits it there, and it goes.
    await writePost(desk.page, HOSTILE);
    await phone.page.goto(corner.url);
    const there = phone.page.getByRole("article").filter({ hasText: HOSTILE });
    await there.getByText("Ada Berg").waitFor();
    assert.equal(await there.getByRole("link", { name: /^Edit/ }).count(), 0, "another's post is not edited");
    await look(phone, "feed-phone");
    await logIn(desk, corner.url, ada);
    await desk.page.getByRole("link", { name: /^Edit/ }).click();
    await look(desk, "edit");
    await desk.page.getByLabel("Post", { exact: true }).fill("Written at Plaza, edited at Corner");
    await desk.page.getByRole("button", { name: "Save" }).click();
    await desk.page.goto(plaza.url);
    await desk.page.getByText("Written at Plaza, edited at Corner", { exact: true }).waitFor();
    await look(desk, "feed");
    assert.doesNotMatch(await desk.page.title(), /owned/);

    // A picture that Ada uploads at Plaza is at Corner.
    await desk.page.goto(`${plaza.url}/profile`);
    assert.equal(
      await desk.page.getByLabel("About you").inputValue(),
      "Draws maps.",
      "the profile came from the vault",
    );
    await desk.page
      .getByLabel("Picture")
      .setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from("<svg/>") });
    await desk.page.getByRole("button", { name: "Save" }).click();
    await desk.page.getByText("not a PNG, JPEG or GIF file").waitFor();
    await look(desk, "profile-fault");
    await desk.page.getByLabel("Picture").setInputFiles({ name: "a.png", mimeType: "image/png", buffer: PICTURE });
    await desk.page.getByRole("button", { name: "Save" }).click();
    await desk.page.getByText("Your profile is saved.").waitFor();
    await look(desk, "profile");
    const image = phone.page.locator('article img.avatar[src^="http"]');
    await image.waitFor();
    const width = await image.evaluate(async (element) => {
      const picture = element as unknown as { decode: () => Promise<void>; naturalWidth: number };
      await picture.decode();
      return picture.naturalWidth;
    });
    assert.equal(width, 4);
    await phone.page.getByRole("link", { name: "Ada Berg" }).click();
    await phone.page.getByText("Draws maps.").waitFor();
    await look(phone, "person-phone");

    // A chat that Ada opens at Plaza is with Kofi at Corner, and his answer comes back.
    await desk.page.goto(`${plaza.url}/chats`);
    await look(desk, "chats-empty");
    await desk.page.getByRole("link", { name: "New chat" }).click();
    await desk.page.getByLabel("Name").fill("Weekend");
    await desk.page.getByLabel("Kofi Mensah").check();
    await look(desk, "chat-new");
    await desk.page.getByRole("button", { name: "Open the chat" }).click();
    await desk.page.getByLabel("Message").fill("Who brings the tea?");
    await desk.page.getByRole("button", { name: "Send" }).click();
    await phone.page.goto(`${corner.url}/chats`);
    await phone.page
      .getByRole("link", { name: /Weekend/ })
      .waitFor({ timeout: 500 })
      .catch(() => phone.page.reload());
    await look(phone, "chats-phone");
    await phone.page.getByRole("link", { name: /Weekend/ }).click();
    await phone.page.getByText("Who brings the tea?").waitFor();
    await phone.page.getByLabel("Message").fill("I do.");
    await phone.page.getByRole("button", { name: "Send" }).click();
    await desk.page.getByText("I do.").waitFor();
    await look(desk, "chat");
    await look(phone, "chat-phone");

    // Deleted at Plaza, gone at Corner.
    await desk.page.goto(plaza.url);
    await desk.page.getByRole("link", { name: /^Edit/ }).click();
    await desk.page.getByRole("button", { name: "Delete" }).click();
    await desk.page.getByText("No posts yet").waitFor();
    await phone.page.goto(corner.url);
    await phone.page.getByText("No posts yet").waitFor();

    // A form of another origin, and one without the session's token, do nothing.
    const cookie = (await desk.page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
    const send = (headers: Record<string, string>, body = "text=forged") =>
      fetch(`${plaza.url}/posts`, {
        method: "POST",
        redirect: "manual",
        headers: { cookie, "content-type": "application/x-www-form-urlencoded", ...headers },
        body,
      });
    const token = (await desk.page.locator('form[action="/posts"] input[name="token"]').getAttribute("value")) ?? "";
    assert.equal((await send({ origin: plaza.url })).status, 403);
    assert.equal((await send({ origin: "https://evil.example" }, `text=forged&token=${token}`)).status, 403);
    assert.equal((await send({ "sec-fetch-site": "same-site" }, `text=forged&token=${token}`)).status, 403);
    assert.equal((await send({ cookie: "" }, `text=forged&token=${token}`)).headers.get("location"), "/login");
    assert.equal((await send({}, `token=${token}&text=${"x".repeat(2_001)}`)).status, 422);
    assert.equal((await send({}, `token=${token}&text=${"x".repeat(1_200_000)}`)).status, 413);
    for (const path of ["/posts/nobody/edit", "/chats/nobody", "/people/%00", `/people/${"x".repeat(65)}`]) {
      assert.equal((await fetch(`${plaza.url}${path}`, { headers: { cookie } })).status, 404, path);
    }
    await desk.page.getByRole("button", { name: "Log out" }).click();
    await desk.page.getByText("Log in with your wallet").waitFor();
    assert.equal((await send({}, `text=forged&token=${token}`)).headers.get("location"), "/login");
    assert.deepEqual(barriers, []);
    assert.deepEqual(
      [...desk.faults, ...phone.faults].filter((fault) => !fault.includes("422")),
      [],
    );
  },
);
