import type { Browser, Place } from "./browser.ts";

/** A client that is registered at the provider. Both redirect URIs are registered. */
export interface TestClient {
  readonly id: string;
  readonly secret: string;
  readonly redirectUri: string;
  readonly otherRedirectUri: string;
}

/** A provider under test, as the modules see it. */
export interface Target extends AsyncDisposable {
  readonly issuer: string;
  readonly client: TestClient;
  /** A second client, for what must not be exchanged between two. */
  readonly otherClient: TestClient;
  /** Answers the login pages of the provider until the browser is back at the client, or no further. */
  readonly signIn: (browser: Browser, page: Place) => Promise<Place>;
  /** Lets time pass at the provider. */
  readonly wait: (seconds: number) => Promise<void>;
}
