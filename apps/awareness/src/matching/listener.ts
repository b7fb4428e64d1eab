import type { CertifiedPlatform } from "@dataspace/access/decide-by-gates";
import type { EName } from "@dataspace/protocol/ename";

/**
 * A consumer, as far as it decides what it may hear.
 *
 * `ename` is the eName that it proved; `platform` the platform that it is, once it counts as one; `isPlatform` tells whether
 * legacy records go to it as to every platform; `isDev` marks the development stack's own consumer. `evidence` is what a platform
 * that came with evidence is certified for now: then that alone decides, by the two gates and the record's own policy.
 *
 * Source: decisions E4, E9.
 */
export interface Listener {
  readonly ename: EName | null;
  readonly platform: string | null;
  readonly isPlatform: boolean;
  readonly isDev: boolean;
  readonly evidence: { readonly platform: EName; readonly certified: CertifiedPlatform } | null;
}
