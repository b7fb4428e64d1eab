import { createHasSigned } from "@dataspace/clients/has-signed";
import { isLoopbackPeer } from "@dataspace/service-kit/http/cross-origin";
import type { FindCertifiedKeys } from "@dataspace/clients/certified-keys";
import type { Log } from "@dataspace/service-kit/log";
import type { VerifyEcdsa } from "@dataspace/service-kit/verify-ecdsa";
import type { PortalDeps } from "./portal.ts";
import { createPortalCookie } from "./portal-cookies.ts";
import { createSignIns, SIGN_IN_SECONDS } from "./sign-ins.ts";
import { createVisits, VISIT_SECONDS } from "./visits.ts";

/** What the service has that the portal is made from. */
export interface PortalMaterial
  extends Omit<PortalDeps, "listening" | "domains" | "signIns" | "visits" | keyof OwnParts> {
  readonly log: Log;
  readonly findCertifiedKeys: FindCertifiedKeys;
  readonly verifyEcdsa: VerifyEcdsa;
}

type OwnParts = Pick<PortalDeps, "signInCookie" | "visitCookie" | "mayBeDev">;

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
  return {
    ...material,
    listening: { ...config, clock: material.clock },
    domains: config.domains,
    signIns: createSignIns({ ...material, hasSigned: createHasSigned(material) }, { publicUrl }),
    visits: createVisits(material),
    // The one that waits for a wallet comes along when the wallet leads back here; who is signed in stays among these pages.
    signInCookie: createPortalCookie({
      name: "ds_awareness_sign_in",
      seconds: SIGN_IN_SECONDS,
      sameSite: "lax",
      publicUrl,
    }),
    visitCookie: createPortalCookie({ name: "ds_awareness", seconds: VISIT_SECONDS, sameSite: "strict", publicUrl }),
    mayBeDev: ({ ip }) => config.devConsumer && isLoopbackPeer({ remoteAddress: ip }),
  };
}
