import { createHasSigned } from "@dataspace/clients/has-signed";
import { isLoopbackPeer } from "@dataspace/service-kit/http/cross-origin";
import type { FindCertifiedKeys } from "@dataspace/clients/certified-keys";
import type { Log } from "@dataspace/service-kit/log";
import type { VerifyEcdsa } from "@dataspace/service-kit/verify-ecdsa";
import type { PortalDeps } from "./portal.ts";
import { createPortalCookie } from "./portal-cookies.ts";
import { createSignIns, SIGN_IN_SECONDS } from "./sign-ins.ts";
import { createVisits, VISIT_SECONDS } from "./visits.ts";

/** The parts of the service that the portal uses. */
export interface PortalMaterial
  extends Omit<PortalDeps, "listening" | "domains" | "signIns" | "visits" | keyof OwnParts> {
  readonly log: Log;
  readonly findCertifiedKeys: FindCertifiedKeys;
  readonly verifyEcdsa: VerifyEcdsa;
}

type OwnParts = Pick<PortalDeps, "signInCookie" | "visitCookie" | "mayBeDev">;

/** The portal's configuration. */
export interface PortalPartsConfig {
  readonly publicUrl: () => string;
  /** Whether the development stack's own consumer may sign in, from this machine. */
  readonly devConsumer: boolean;
  readonly legacyTokens: PortalDeps["listening"]["legacyTokens"];
  readonly domains: PortalDeps["domains"];
}

/** Makes the portal's dependencies. Refuses: never. Source: decisions E7, L11. */
export function createPortalParts(material: PortalMaterial, config: PortalPartsConfig): PortalDeps {
  const { publicUrl } = config;
  return {
    ...material,
    listening: { ...config, clock: material.clock },
    domains: config.domains,
    signIns: createSignIns({ ...material, hasSigned: createHasSigned(material) }, { publicUrl }),
    visits: createVisits(material),
    // The cookie of a waiting sign-in is sent when the wallet links back here; the visit's cookie only from these
    // pages.
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
