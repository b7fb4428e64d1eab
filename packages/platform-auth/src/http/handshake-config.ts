import type { HandshakeConfig } from "./handshakes.ts";

/** The settings of platform authentication by name, as a service has read them. */
export interface HandshakeSettings {
  readonly DS_AUTHORITY_URL: string | undefined;
  readonly DS_TRUSTED_AUTHORITIES: readonly string[];
  readonly DS_PPAUTH_CHALLENGE_TTL_SECONDS: number;
  readonly DS_PPAUTH_REQUIRE_BINDING: boolean;
  readonly DS_RATE_LIMIT_HANDSHAKES: number;
}

/**
 * Turns settings into the configuration. A list of trusted authorities replaces the default, which is the data space's
 * own authority.
 *
 * Refuses: never. Source: decisions, settings table; A1.
 */
export function toHandshakeConfig(settings: HandshakeSettings): HandshakeConfig {
  const { DS_TRUSTED_AUTHORITIES: listed, DS_AUTHORITY_URL: own } = settings;
  return {
    trustedCertifierIssuers: listed.length > 0 || own === undefined ? listed : [own],
    challengeSeconds: settings.DS_PPAUTH_CHALLENGE_TTL_SECONDS,
    requireBinding: settings.DS_PPAUTH_REQUIRE_BINDING,
    perAddress: settings.DS_RATE_LIMIT_HANDSHAKES,
  };
}
