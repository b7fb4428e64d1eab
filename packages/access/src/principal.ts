import type { EName } from "@dataspace/protocol/ename";
import type { CertifiedPlatform } from "./decide-by-gates.ts";

/**
 * The proven identity on which access is decided.
 *
 * - `anonymous`: no credential.
 * - `person`: an eName, proven by its wallet or, on a server that trusts the header, asserted.
 * - `platform`: a deployment that has proven by evidence which platform it is and what that is certified for.
 * - `legacy-platform`: a registry-issued platform token; `writes` is false where such tokens may only read.
 *
 * Source: S1 "Authentication"; decisions I2, I4, I7.
 */
export type Principal =
  | { readonly kind: "anonymous" }
  | { readonly kind: "person"; readonly ename: EName }
  | { readonly kind: "platform"; readonly ename: EName; readonly certified: CertifiedPlatform }
  | { readonly kind: "legacy-platform"; readonly writes: boolean };
