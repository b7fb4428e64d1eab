import type { CertifiedPlatform } from "@dataspace/access/decide-by-gates";
import type { EName } from "@dataspace/protocol/ename";

/** A platform with evidence: what it is certified for, and where its certificate's status is; null for none. */
export interface ProvenPlatform {
  readonly platform: EName;
  readonly certified: CertifiedPlatform;
  readonly status: CertificatePlace | null;
}

/** Where an authority says whether a certificate still holds. */
export interface CertificatePlace {
  readonly issuer: string;
  readonly uri: string;
  readonly idx: number;
}

/**
 * The properties of a consumer that decide what it may receive.
 *
 * `ename` is the eName that it proved; `platform` the platform that it is, once it counts as one. `isPlatform`: legacy
 * records go to it as to every platform. `isDev` marks the development stack's own consumer. `evidence` is what a
 * platform with evidence is certified for now. Then only the evidence decides, by the two gates and the record's own
 * policy.
 *
 * Source: decisions E4, E9.
 */
export interface Listener {
  readonly ename: EName | null;
  readonly platform: string | null;
  readonly isPlatform: boolean;
  readonly isDev: boolean;
  readonly evidence: ProvenPlatform | null;
}
