import type { HandshakeService } from "@dataspace/platform-auth/http/handshakes";
import { invalidToken } from "./caller/bearer-token.ts";

/** The vault's tables of challenges and sessions, and its refusal of a session. Source: decision A1. */
export const vaultHandshakes: HandshakeService = {
  challengeTable: "handshake_challenge",
  sessionTable: "platform_session",
  refuse: invalidToken,
};
