import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { makeAuthUri } from "@dataspace/protocol/wallet-uri";
import { inBrowser } from "@dataspace/ui/test-browser";
import { ALLOWED_CAMERA, writeCodeVideo } from "@dataspace/ui/test-camera";
import { shareSandbox } from "./support/sandbox-page.ts";
import { startSamplePlatform } from "./support/start-sample-platform.ts";
import type { Page } from "playwright-core";

const openSandbox = shareSandbox();
const OFFER = makeAuthUri({
  redirect: "https://platform.example/api/auth",
  session: "s".repeat(43),
  platform: "Test",
});

/** Keeps every camera that the page opens, so that a test sees whether it was let go of. */
async function watchCameras(page: Page): Promise<{ readonly states: () => Promise<readonly string[]> }> {
  await page.evaluate(`
    globalThis.cameras = [];
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (wanted) => {
      const stream = await open(wanted);
      cameras.push(...stream.getTracks());
      return stream;
    };
  `);
  return { states: () => page.evaluate("cameras.map(({ readyState }) => readyState)") };
}

test(
  "a code before the camera is read into the field, and the camera is let go of [P-DEC-200]",
  inBrowser,
  async (t) => {
    const folder = await mkdtemp(path.join(tmpdir(), "dataspace-camera-"));
    t.after(() => rm(folder, { recursive: true }));
    const video = path.join(folder, "code.y4m");
    await writeCodeVideo(video, OFFER);
    const { page, faults } = await openSandbox(t, {
      flags: [...ALLOWED_CAMERA, `--use-file-for-fake-video-capture=${video}`],
    });
    const cameras = await watchCameras(page);
    await page.getByRole("button", { name: "Scan a code" }).click();
    await page.getByRole("log").getByText("Read a code").waitFor();
    assert.equal(await page.getByLabel("URI").inputValue(), OFFER);
    await page.locator("#request .host", { hasText: "platform.example" }).waitFor();
    assert.deepEqual(await cameras.states(), ["ended"]);
    assert.equal(await page.locator("video").count(), 0);
    assert.deepEqual(faults, []);
  },
);

test("a camera that sees no code is let go of at Stop, which the keyboard reaches at once", inBrowser, async (t) => {
  const { page, faults } = await openSandbox(t, { flags: ALLOWED_CAMERA });
  const cameras = await watchCameras(page);
  const scan = page.getByRole("button", { name: "Scan a code" });
  for (let round = 1; round <= 2; round++) {
    await scan.focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Camera picture").waitFor();
    assert.equal((await cameras.states()).at(-1), "live");
    await page.keyboard.press("Enter");
    await page.getByLabel("Camera picture").waitFor({ state: "detached" });
    assert.deepEqual(await cameras.states(), Array(round).fill("ended"));
    await page.waitForFunction("document.activeElement?.id === 'scan'");
  }
  assert.deepEqual(faults, []);
});

for (const [what, flags, said] of [
  ["no camera", [], /There is no camera on this device\. Read an image/],
  ["no leave to use it", ["--use-fake-device-for-media-stream"], /does not let this page use the camera\. Allow it/],
] as const) {
  test(`a browser that has ${what} gets a message with an alternative`, inBrowser, async (t) => {
    const { page, faults } = await openSandbox(t, { flags });
    await page.getByRole("button", { name: "Scan a code" }).click();
    await page.getByRole("alert").getByText(said).waitFor();
    assert.deepEqual(faults, []);
  });
}

test("a page that browsers give no camera at all says so [S3 Sandbox]", inBrowser, async (t) => {
  const { page } = await openSandbox(t);
  await page.evaluate("Object.defineProperty(navigator, 'mediaDevices', { value: undefined })");
  await page.getByRole("button", { name: "Scan a code" }).click();
  await page.getByRole("alert").getByText("allows only https pages").waitFor();
});

test(
  "a code in a picture is read into the field, from a file or pasted, and a picture without one is reported [S3 Sandbox]",
  inBrowser,
  async (t) => {
    const { space, browser, page, faults } = await openSandbox(t);
    await using platform = await startSamplePlatform(space);
    const visitor = await browser.newPage({ deviceScaleFactor: 2 });
    await visitor.goto(platform.url);
    const code = await visitor.getByRole("img", { name: "Login code" }).screenshot();
    const offer = await visitor.getByRole("link", { name: "Open the wallet" }).getAttribute("href");
    const image = page.getByLabel("Image of a code");
    await image.setInputFiles({ name: "code.png", mimeType: "image/png", buffer: code });
    await page.getByText("Read a code").waitFor();
    assert.equal(await page.getByLabel("URI").inputValue(), offer);

    await page.getByLabel("URI").fill("");
    await page.evaluate(`{
      const clipboardData = new DataTransfer();
      const bytes = Uint8Array.fromBase64("${code.toString("base64")}");
      clipboardData.items.add(new File([bytes], "code.png", { type: "image/png" }));
      document.getElementById("uri").dispatchEvent(new ClipboardEvent("paste", { clipboardData }));
    }`);
    await page.getByText("Read a code").nth(1).waitFor();
    assert.equal(await page.getByLabel("URI").inputValue(), offer);

    const empty = await visitor.getByRole("heading", { name: "Log in" }).screenshot();
    await image.setInputFiles({ name: "none.png", mimeType: "image/png", buffer: empty });
    await page.getByRole("alert").getByText("contains no readable code").waitFor();
    await image.setInputFiles({ name: "none.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
    await page.getByRole("alert").getByText("cannot show this file as a picture").waitFor();
    assert.deepEqual(faults, []);
  },
);
