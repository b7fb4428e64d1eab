import type { Metrics } from "@dataspace/service-kit/monitoring/metrics";
import type { ClientAct } from "./clients/manage-clients.ts";
import type { LoginResult } from "./http/wallet-door.ts";

/** What the connector counts. */
export interface LoginMetrics {
  readonly answered: (result: Pick<LoginResult, "outcome">) => void;
  readonly exchanged: () => void;
  readonly refused: (error: string) => void;
  readonly changedClient: (act: Pick<ClientAct, "act">) => void;
}

/** What the figures are read from. */
export interface LoginSizes {
  readonly logins: () => number;
  readonly stores: () => Readonly<Record<string, number>>;
}

/** The error codes that the protocol answers; any other counts as `other`, so that labels stay few. */
const ERRORS = new Set([
  ...["access_denied", "invalid_client", "invalid_grant", "invalid_redirect_uri", "invalid_request", "invalid_scope"],
  ...[
    "login_required",
    "server_error",
    "temporarily_unavailable",
    "unsupported_grant_type",
    "unsupported_response_type",
  ],
]);

/** Adds the connector's metrics. Refuses: never. Source: decisions P6, L12. */
export function createLoginMetrics(metrics: Metrics, sizes: LoginSizes): LoginMetrics {
  const answers = metrics.addCounter({
    name: "login_answers_total",
    help: "Wallets' answers by outcome.",
    labels: ["outcome"],
  });
  const exchanges = metrics.addCounter({
    name: "login_exchanges_total",
    help: "Codes that were exchanged.",
    labels: [],
  });
  const refusals = metrics.addCounter({
    name: "login_protocol_refusals_total",
    help: "Requests of clients that the protocol refused, by error.",
    labels: ["error"],
  });
  const acts = metrics.addCounter({
    name: "login_client_acts_total",
    help: "Changes of clients by developers.",
    labels: ["act"],
  });
  metrics.addFigures(
    {
      login_pending: "Logins that wait for a wallet or for their browser.",
      login_requests: "Authorization requests in memory.",
      login_codes: "Authorization codes in memory.",
      login_access_tokens: "Access tokens in memory.",
      login_grants: "Grants in memory.",
    },
    async () => {
      const { Interaction = 0, AuthorizationCode = 0, AccessToken = 0, Grant = 0 } = sizes.stores();
      return {
        login_pending: sizes.logins(),
        login_requests: Interaction,
        login_codes: AuthorizationCode,
        login_access_tokens: AccessToken,
        login_grants: Grant,
      };
    },
  );
  return {
    answered: ({ outcome }) => answers({ outcome }),
    exchanged: () => exchanges({}),
    refused: (error) => refusals({ error: ERRORS.has(error) ? error : "other" }),
    changedClient: ({ act }) => acts({ act }),
  };
}
