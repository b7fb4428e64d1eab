import { isLoopbackPeer } from "@dataspace/service-kit/http/cross-origin";
import { createPostgresLoginStore, SIGN_IN_SECONDS } from "@dataspace/wallet-login/postgres-login-store";
import { VISIT_SECONDS } from "@dataspace/wallet-login/visit-tokens";
import { createWalletCheck } from "@dataspace/wallet-login/wallet-check";
import { createWalletLogin } from "@dataspace/wallet-login/wallet-login";
import type { FindCertifiedKeys } from "@dataspace/clients/certified-keys";
import type { Log } from "@dataspace/service-kit/log";
import type { VerifyEcdsa } from "@dataspace/service-kit/verify-ecdsa";
import { SIGN_INS } from "../store/visit-rows.ts";
import type { PortalDeps } from "./portal.ts";
import { createPortalCookie } from "./portal-cookies.ts";
import { createVisits } from "./visits.ts";

/** What the service has that the portal is made from. */
export interface PortalMaterial
  extends Omit<PortalDeps, "listening" | "domains" | "walletLogin" | "visits" | keyof OwnParts> {
  readonly log: Log;
  readonly findCertifiedKeys: FindCertifiedKeys;
  readonly verifyEcdsa: VerifyEcdsa;
}

type OwnParts = Pick<PortalDeps, "visitCookie" | "mayBeDev">;

const PLATFORM = "Dataspace awareness";

/** How the portal behaves. */
export interface PortalPartsConfig {
  readonly publicUrl: () => string;
  /** Whether the development stack's own consumer may come in, from this machine. */
  readonly devConsumer: boolean;
  readonly legacyTokens: PortalDeps["listening"]["legacyTokens"];
  readonly domains: PortalDeps["domains"];
}

/** Makes what the portal works with. Refuses: never. Source: decisions E7, L11. */
export function createPortalParts(material: PortalMaterial, config: PortalPartsConfig): PortalDeps {
  const { publicUrl } = config;
  const onUnavailable = (error: Error): void => {
    material.log.warn({ err: error }, "the certified keys of an eName are not available");
  };
  return {
    ...material,
    listening: { ...config, clock: material.clock },
    domains: config.domains,
    walletLogin: createWalletLogin(
      {
        store: createPostgresLoginStore({ ...material, table: SIGN_INS }),
        check: createWalletCheck({ ...material, onUnavailable }),
      },
      {
        name: PLATFORM,
        publicUrl,
        callbackPath: "/portal/callback",
        cookieName: "ds_awareness_sign_in",
        sessionSeconds: SIGN_IN_SECONDS,
      },
    ),
    visits: createVisits(material),
    visitCookie: createPortalCookie({ name: "ds_awareness", seconds: VISIT_SECONDS, publicUrl }),
    mayBeDev: ({ ip }) => config.devConsumer && isLoopbackPeer({ remoteAddress: ip }),
  };
}
