import type { Target } from "./target.ts";

/** What running a module gave. Each text says why. */
export type Outcome =
  | { readonly kind: "passed" }
  | { readonly kind: "warning" | "skipped" | "failed"; readonly text: string };

/** A test plan, or our own additions to it. */
export type Plan = "Basic OP" | "Config OP" | "FAPI 2.0 (PKCE and codes)" | "Own checks";

/** One check of a provider, over HTTP only. A module fails by throwing. */
export interface HarnessModule {
  /** The module's name in the OpenID Foundation's suite, or our own. */
  readonly name: string;
  readonly plan: Plan;
  readonly checks: string;
  readonly run: (target: Target) => Promise<Outcome>;
}

/** The provider does what the module asks for. */
export const PASSED: Outcome = { kind: "passed" };

/** The provider behaves correctly, but not as the suite recommends. */
export function warning(text: string): Outcome {
  return { kind: "warning", text };
}

/** The module does not apply to the provider. */
export function skipped(text: string): Outcome {
  return { kind: "skipped", text };
}
