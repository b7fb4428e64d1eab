import { createHash } from "node:crypto";
import type { Log } from "@dataspace/service-kit/log";
import type { AnswerOutcome } from "./logins/login-entry.ts";
import type { LoginEnd } from "./provider/op-core.ts";

/** Writes what happens to logins into the service's log. */
export interface AuditLog {
  readonly started: (login: { readonly id: string; readonly clientId: string }) => void;
  /** In: `id` of the login, undefined for a session that nobody knows. */
  readonly answered: (id: string | undefined, outcome: AnswerOutcome) => void;
  readonly ended: (id: string, end: LoginEnd) => void;
  readonly exchanged: (clientId: string) => void;
}

const LENGTH = 16;

/**
 * Makes the audit log. An entry has `audit`, the name of what happened, and holds no personal data: a login is a hash of its random
 * id, a client its id, an answer its outcome code.
 *
 * Refuses: never. Source: decision P7.
 */
export function createAuditLog(log: Log): AuditLog {
  const write = (audit: string, members: object): void => log.info({ audit, ...members }, `audit: ${audit}`);
  return {
    started: ({ id, clientId }) => write("login_started", { login: hash(id), client: clientId }),
    answered: (id, outcome) =>
      write("login_answered", {
        login: id === undefined ? undefined : hash(id),
        outcome: "signed" in outcome ? "signed" : outcome.failure,
      }),
    ended: (id, end) => write("login_ended", { login: hash(id), outcome: "signed" in end ? "code" : end.error }),
    exchanged: (clientId) => write("code_exchanged", { client: clientId }),
  };
}

function hash(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, LENGTH);
}
