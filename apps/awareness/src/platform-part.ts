import { createHasSigned } from "@dataspace/clients/has-signed";
import { createVerifyEcdsa } from "@dataspace/clients/verify-ecdsa";
import {
  createHandshakes,
  type HandshakeConfig,
  type HandshakeDeps,
  type Handshakes,
} from "@dataspace/platform-auth/http/handshakes";
import { awarenessRefusal } from "./errors.ts";
import { createHearing, type Hearing, type HearingDeps } from "./visibility/hearing.ts";

/** Platform authentication at this service, and the decision over what a consumer may receive, which rests on it. */
export interface PlatformPart {
  readonly handshakes: Handshakes;
  readonly hearing: Hearing;
}

const TABLES = { challengeTable: "consumer_challenge", sessionTable: "consumer_session" };

/** Makes both. Refuses: never. Source: decisions E4, E9, A1. */
export function createPlatformPart(
  deps: HandshakeDeps & Pick<HearingDeps, "isKnown">,
  config: HandshakeConfig,
): PlatformPart {
  const refuse = (message: string) => awarenessRefusal("INVALID_TOKEN", message);
  const handshakes = createHandshakes(deps, { ...TABLES, refuse }, config);
  const hasSigned = createHasSigned({ ...deps, verifyEcdsa: createVerifyEcdsa() });
  return { handshakes, hearing: createHearing({ ...deps, hasSigned, statusOf: handshakes.statusOf }) };
}
