import assert from "node:assert/strict";
import { test } from "node:test";
import { DEMO_VERIFICATION_CODE } from "@dataspace/protocol/demo-verification-code";
import { inBrowser, openBrowser } from "@dataspace/ui/test-browser";
import { serveSources } from "./support/serve-sources.ts";
import { startTestSpace } from "./support/start-test-space.ts";
import type { runWalletPage } from "./support/wallet-page.ts";

type PageRun = Awaited<ReturnType<typeof runWalletPage>>;

const PAGE = "/system/stories/support/wallet-page.ts";

test(
  "in a browser the wallet's sources run as they are: provisioning, tokens, and keys that outlive the page and that no script can read (S3 Sandbox) [V-KEY-006]",
  inBrowser,
  async () => {
    await using space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
    await using site = await serveSources();
    const { registryUrl, vaultUrl: provisionerUrl } = space;
    const where = JSON.stringify({ registryUrl, provisionerUrl, verificationId: DEMO_VERIFICATION_CODE });
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      const run = async (): Promise<PageRun> => {
        await page.goto(site.url);
        const call = `runWalletPage({ indexedDB, storage: localStorage, ...${where} })`;
        return page.evaluate(`import(${JSON.stringify(PAGE)}).then(({ runWalletPage }) => ${call})`);
      };
      const expected = {
        isOwnKey: true,
        keysMadeAtOnce: 1,
        isRemoved: true,
        exported: "KEY_NOT_EXPORTABLE",
        synced: "certified",
        written: { data: { createMetaEnvelope: { errors: [] } } },
      };
      const steps = ["entropy 200", "provision 200", "certificates 200", "certificates 200", "certificates 200"];
      assert.deepEqual(await run(), { steps, ...expected });
      assert.deepEqual(await run(), { steps: [], ...expected }, "after a reload");
    } finally {
      await browser.close();
    }
  },
);
