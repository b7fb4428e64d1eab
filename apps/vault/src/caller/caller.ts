import type { Principal } from "@dataspace/access/principal";
import type { EName } from "@dataspace/protocol/ename";
import type { TokenUse } from "../store/token-use.ts";
import type { SessionClaim } from "./platform-session.ts";

/** How a caller's identity is proven; stored with every write. Source: decisions I2, I4. */
export type Credential = "anonymous" | "asserted" | "wallet-token" | "platform-session" | "legacy-platform-token";

/**
 * Who asks, and whose vault the request addresses.
 *
 * `subject` is the eName that the credential proves. `platform` is the address of the platform that carries the
 * request. `author` is stored as the write's author; from X-ON-BEHALF-OF it is only an assertion. `onBehalfOf` is the
 * eName in that header, which can only narrow. `claim` is what an evidence session has proven. `migrates` says that its
 * platform may create records without events (decision V5).
 * Source: S1 "Authentication"; decisions I2, I5, I4.
 */
export interface Caller {
  readonly owner: EName;
  readonly principal: Principal;
  readonly credential: Credential;
  readonly subject: EName | null;
  readonly platform: string | null;
  readonly author: string | null;
  readonly onBehalfOf: EName | null;
  readonly tokenUse: TokenUse | undefined;
  readonly claim?: SessionClaim;
  readonly migrates?: boolean;
  /** The addressed vault never had a key: a platform that writes there takes nothing from an owner. Source: decision V21. */
  readonly isVaultKeyless?: boolean;
}
