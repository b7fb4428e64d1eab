import { isLoopbackPeer } from "@dataspace/service-kit/http/cross-origin";
import { createPostgresLoginStore, SIGN_IN_SECONDS } from "@dataspace/wallet-login/postgres-login-store";
import { VISIT_SECONDS } from "@dataspace/wallet-login/visit-tokens";
import { createWalletCheck } from "@dataspace/wallet-login/wallet-check";
import { createWalletLogin } from "@dataspace/wallet-login/wallet-login";
import type { FindCertifiedKeys } from "@dataspace/clients/certified-keys";
import type { VerifyEcdsa } from "@dataspace/clients/verify-ecdsa";
import type { ServiceBase } from "@dataspace/service-kit/run/service-base";
import type { Ui } from "@dataspace/ui/ui";
import type { Listening } from "../consumers/listener-of.ts";
import { createMayHearOf } from "../delivery/may-hear-of.ts";
import { SIGN_INS } from "../store/visit-rows.ts";
import type { Hearing } from "../visibility/hearing.ts";
import type { DecideVisibility } from "../visibility/visibility.ts";
import type { AccountOperations, PortalDeps } from "./portal.ts";
import { createPortalCookie } from "./portal-cookies.ts";
import { createReadHealth } from "./shown-health.ts";
import { createVisits } from "./visits.ts";

/** What the portal is made from. */
export interface PortalMaterial {
  readonly base: Pick<ServiceBase, "database" | "clock" | "log">;
  readonly ui: Ui;
  readonly operations: AccountOperations;
  readonly hearing: Hearing;
  readonly decideVisibility: DecideVisibility;
  /** Verifies what a wallet signs to sign in. */
  readonly wallets: { readonly findCertifiedKeys: FindCertifiedKeys; readonly verifyEcdsa: VerifyEcdsa };
}

const PLATFORM = "Dataspace awareness";

/** How the portal behaves. */
export interface PortalPartsConfig {
  readonly publicUrl: () => string;
  /** Whether the development stack's own consumer may come in, from this machine. */
  readonly devConsumer: boolean;
  readonly legacyTokens: Listening["legacyTokens"];
  readonly domains: ReadonlyMap<string, string>;
}

/** Makes what the portal works with. Refuses: never. Source: decisions E7, L11. */
export function createPortalParts(material: PortalMaterial, config: PortalPartsConfig): PortalDeps {
  const { base, ui, operations, hearing, decideVisibility, wallets } = material;
  const { database, clock, log } = base;
  const { publicUrl } = config;
  const onUnavailable = (error: Error): void => {
    log.warn({ err: error }, "the certified keys of an eName are not available");
  };
  const listening = { legacyTokens: config.legacyTokens, clock };
  const walletLogin = createWalletLogin(
    {
      store: createPostgresLoginStore({ database, clock, table: SIGN_INS }),
      check: createWalletCheck({ ...wallets, onUnavailable }),
    },
    {
      name: PLATFORM,
      publicUrl,
      callbackPath: "/portal/callback",
      cookieName: "ds_awareness_sign_in",
      sessionSeconds: SIGN_IN_SECONDS,
    },
  );
  const cookie = createPortalCookie({ name: "ds_awareness", seconds: VISIT_SECONDS, publicUrl });
  const visits = createVisits({ database, clock, cookie });
  const mayBeDev: PortalDeps["signIn"]["mayBeDev"] = ({ ip }) =>
    config.devConsumer && isLoopbackPeer({ remoteAddress: ip });
  return {
    signIn: { database, clock, ui, walletLogin, visits, mayBeDev },
    operations,
    readHealth: createReadHealth({ database, decideVisibility }, listening),
    mayHearOf: createMayHearOf(hearing, { ...listening, domains: config.domains }),
  };
}
