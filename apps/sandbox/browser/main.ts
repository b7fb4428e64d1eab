import { DEMO_VERIFICATION_CODE } from "@dataspace/protocol/demo-verification-code";
import { find, notice } from "@dataspace/ui/dom/element";
import { createStorageKeyStore } from "@dataspace/wallet/storage-key-store";
import { createActivity } from "./activity/activity.ts";
import { openAreas } from "./areas.ts";
import { watchConnectivity } from "./connectivity.ts";
import { openConnections } from "./identity/connection.ts";
import { openConnectionPanel } from "./identity/connection-panel.ts";
import { openDemoPeople } from "./identity/demo-people.ts";
import { openIdentities } from "./identity/identities.ts";
import { openIdentitiesPanel } from "./identity/identities-panel.ts";
import { openProvisionPanel } from "./identity/provision-panel.ts";
import { openUnfinishedDraft } from "./identity/unfinished-draft.ts";
import { PAGE_TEXTS } from "./page-texts.ts";
import { openPlatformsPanel } from "./platforms/platforms-panel.ts";
import { openRequestsPanel } from "./requests/requests-panel.ts";
import { openScanPanel } from "./requests/scan-panel.ts";
import { openSignPanel } from "./requests/sign-panel.ts";
import { openVaultPanel } from "./vault/vault-panel.ts";
import { createWallet } from "./wallet.ts";

const { registry = "", provisioner = "" } = find("sandbox", HTMLElement).dataset;
const storage = openStorage();
const activity = createActivity(find("log", HTMLElement), find("clear-log", HTMLButtonElement));
const connections = openConnections(storage, {
  registryUrl: registry,
  provisionerUrl: provisioner,
  verificationId: DEMO_VERIFICATION_CODE,
});
const wallet = createWallet(openIdentities(storage), createStorageKeyStore({ storage }));

openIdentitiesPanel({ wallet, activity });
openDemoPeople({ wallet, activity });
openProvisionPanel({ wallet, activity, connections, unfinished: openUnfinishedDraft(storage) });
openScanPanel({ activity });
openRequestsPanel({ wallet, activity });
openSignPanel({ wallet, activity });
const areas = openAreas(wallet.identities.selected() === undefined ? "identity" : "requests");
openVaultPanel({ wallet, activity, areas });
openPlatformsPanel({ wallet, activity, areas });
openConnectionPanel({ connections });
watchConnectivity();

function openStorage(): Storage {
  try {
    return localStorage;
  } catch (error) {
    find("identity-facts", HTMLElement).replaceChildren(notice("bad", PAGE_TEXTS.noStorage));
    throw error;
  }
}
