import type { TestClient } from "../oidc-harness/target.ts";

/** An application that logs people in with the connector. */
export interface RelyingParty extends AsyncDisposable {
  /** A page that asks for a login, and shows `sub=<sub>` after it. */
  readonly url: string;
}

/** What a relying party is configured with: what the developer portal shows of a client. */
export interface ConnectionValues {
  readonly issuer: string;
  readonly client: TestClient;
  /** Where the relying party runs; its host is not the connector's, so cookies stay apart. */
  readonly origin: string;
}

/** Starts a relying party that receives codes at `/callback`. */
export type StartRelyingParty = (values: ConnectionValues) => Promise<RelyingParty>;
