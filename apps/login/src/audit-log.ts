import { createHash } from "node:crypto";
import type { Log } from "@dataspace/service-kit/log";
import type { ClientAct } from "./clients/manage-clients.ts";
import type { LoginResult } from "./http/wallet-door.ts";

/** The record of what happened, for operators. It names clients and no person. */
export interface AuditLog {
  readonly answered: (result: LoginResult) => void;
  readonly exchanged: (clientId: string) => void;
  readonly changedClient: (act: ClientAct) => void;
}

const HASH_CHARACTERS = 16;

/**
 * Makes the audit log: lines with the member `audit`. A login is named by the start of its session's SHA-256, so lines of one login
 * can be put together, and nobody can use what they hold.
 *
 * Refuses: never. Source: RFC 10027 "detect and remediate"; T-53, T-91.
 */
export function createAuditLog(log: Log): AuditLog {
  return {
    answered: ({ session, clientId, outcome }) => {
      const login = createHash("sha256").update(session).digest("base64url").slice(0, HASH_CHARACTERS);
      const client = clientId === "" ? "portal" : clientId;
      log.info({ audit: "login", login, client, outcome }, "a wallet answered a login");
    },
    exchanged: (client) => log.info({ audit: "exchange", client }, "a client exchanged a code"),
    changedClient: ({ act, clientId: client }) =>
      log.info({ audit: "client", act, client }, "a developer changed a client"),
  };
}
