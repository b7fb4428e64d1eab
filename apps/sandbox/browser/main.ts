import { DEMO_VERIFICATION_CODE } from "@dataspace/protocol/demo-verification-code";
import { answerSignRequest, authenticate } from "@dataspace/wallet/answer-request";
import { createStorageKeyStore } from "@dataspace/wallet/storage-key-store";
import type { WalletRequest } from "@dataspace/wallet/parse-wallet-uri";
import { type ActionLog, createActionLog } from "./action-log.ts";
import { openConnections } from "./connection.ts";
import { find, notice } from "./element.ts";
import { openIdentities } from "./identities.ts";
import { openConnectionPanel } from "./panels/connection-panel.ts";
import { openIdentitiesPanel } from "./panels/identities-panel.ts";
import { openPerformPanel } from "./panels/perform-panel.ts";
import { openProvisionPanel } from "./panels/provision-panel.ts";
import { openScanPanel } from "./panels/scan-panel.ts";
import { openSignPanel } from "./panels/sign-panel.ts";
import { openVaultPanel } from "./panels/vault-panel.ts";
import { reportingKey } from "./reporting-key.ts";
import { openUnfinishedDraft } from "./unfinished-draft.ts";
import { createWallet, type Wallet } from "./wallet.ts";

const { registry = "", provisioner = "" } = find("sandbox", HTMLElement).dataset;
const storage = openStorage();
const log = createActionLog(find("log", HTMLElement), find("clear-log", HTMLButtonElement));
const connections = openConnections(storage, {
  registryUrl: registry,
  provisionerUrl: provisioner,
  verificationId: DEMO_VERIFICATION_CODE,
});
const wallet = createWallet(openIdentities(storage), createStorageKeyStore({ storage }));

openIdentitiesPanel({ wallet, log });
openProvisionPanel({ wallet, log, connections, unfinished: openUnfinishedDraft(storage) });
openPerformPanel({ wallet, log, answer: (request) => answer({ wallet, log }, request) });
openScanPanel({ log });
openSignPanel({ wallet, log });
openVaultPanel({ wallet, log });
openConnectionPanel({ connections, log });

function openStorage(): Storage {
  try {
    return localStorage;
  } catch (error) {
    const message =
      "This browser stores no data for this page, so your identities would be lost. Allow site data, and load the page again.";
    find("identity-facts", HTMLElement).replaceChildren(notice("bad", message));
    throw error;
  }
}

async function answer(
  deps: { readonly wallet: Wallet; readonly log: ActionLog },
  request: WalletRequest,
): Promise<string> {
  const identity = deps.wallet.identities.selected();
  if (identity === undefined) throw new Error("Provision an identity first.");
  const key = await deps.wallet.keyOf(identity);
  const signerOf = ({ text, redirect }: { readonly text: string; readonly redirect: string }) => ({
    ename: identity.ename,
    key: reportingKey(key, () => deps.log.say("ok", `Signed as ${identity.ename} for ${new URL(redirect).host}`, text)),
  });
  switch (request.kind) {
    case "auth":
      await authenticate({ fetch, report: deps.log.report }, request, signerOf(request));
      return `${identity.displayName} is logged in at ${new URL(request.redirect).host}: it took the signature.`;
    case "sign":
      await answerSignRequest({ fetch, report: deps.log.report }, request, signerOf(request));
      return `Signed as ${identity.displayName}: ${new URL(request.redirect).host} took the signature.`;
    case "file":
      throw new Error("A file is nothing to sign. Open it in the vault of the eName that it names.");
  }
}
