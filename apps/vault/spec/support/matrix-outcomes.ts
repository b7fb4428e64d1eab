/**
 * The callers, against a vault's two records: one under a policy (owner and granted everything, reader READ, denied denied by
 * name though granted) and one under the array [granted].
 */
export const CALLERS: readonly Caller[] = [
  ...(["owner", "granted", "reader", "denied", "stranger", "platform", "anonymous"] as const),
  ...(["header", "session", "certificate", "entropy", "service", "recovery"] as const),
];
/** One of the callers. The last five show credentials that are no bearers of this kind. */
export type Caller =
  | ("owner" | "granted" | "reader" | "denied" | "stranger" | "platform" | "anonymous" | "header")
  | ("session" | "certificate" | "entropy" | "service" | "recovery");

/** What came of a request: `yes`, `hidden` (as if there were nothing), or the code of its refusal. */
export type Outcome = string;
/** What comes of one request for each caller. */
export type Outcomes = Readonly<Record<Caller, Outcome>>;

/** Credentials that are invalid at the endpoints where others are valid. */
export const NO_BEARERS: Readonly<
  Record<"session" | "certificate" | "entropy" | "service" | "recovery", "INVALID_TOKEN">
> = {
  session: "INVALID_TOKEN",
  certificate: "INVALID_TOKEN",
  entropy: "INVALID_TOKEN",
  ...{ service: "INVALID_TOKEN", recovery: "INVALID_TOKEN" },
};

/** Nobody is let in. */
export const NOBODY = Object.fromEntries(CALLERS.map((caller) => [caller, "refused"])) as Outcomes;
/** The owner is let in, by token or in header mode. */
export const OWNER_ALONE: Outcomes = { ...NOBODY, owner: "yes", header: "yes" };
/** A handshake that proves nothing. */
export const HANDSHAKE = { challenge: {}, evidence: {}, signature: "none" };

/** Under the policy; `reader` is what comes of the one who may only read. */
export const underPolicy = (reader: Outcome): Outcomes => ({
  ...{ owner: "yes", granted: "yes", reader, denied: "hidden", stranger: "hidden", platform: "hidden" },
  ...{ anonymous: "UNAUTHENTICATED", header: "yes", ...NO_BEARERS },
});
/** Under the array. */
export const UNDER_ARRAY: Outcomes = {
  ...{ owner: "yes", granted: "yes", reader: "hidden", denied: "hidden", stranger: "hidden", platform: "yes" },
  ...{ anonymous: "UNAUTHENTICATED", header: "yes", ...NO_BEARERS },
};
/** Who may create. */
export const CREATION: Outcomes = {
  ...{ owner: "yes", granted: "FORBIDDEN", reader: "FORBIDDEN", denied: "FORBIDDEN", stranger: "FORBIDDEN" },
  ...{ platform: "yes", anonymous: "UNAUTHENTICATED", header: "yes", ...NO_BEARERS },
};
/** Everybody is let in. */
export const EVERYBODY = Object.fromEntries(CALLERS.map((caller) => [caller, "yes"])) as Outcomes;
/** Whoever may read. */
export const reading: { readonly policy: Outcomes; readonly array: Outcomes } = {
  policy: underPolicy("yes"),
  array: UNDER_ARRAY,
};
/** Whoever may write. */
export const writing: { readonly policy: Outcomes; readonly array: Outcomes } = {
  policy: underPolicy("FORBIDDEN"),
  array: UNDER_ARRAY,
};

/** What everybody may read. */
export const PUBLIC_PATHS: readonly string[] = [
  ...["/", "/healthz", "/whois", "/docs", "/openapi.json", "/schema.graphql", "/graphiql", "/graphiql/start.js"],
  "/graphiql/frame.css",
];
/** The ways out of a vault, for the owner's wallet alone. */
export const EXIT_ROUTES: readonly string[] = [
  ...[
    "GET /export",
    "HEAD /export",
    "POST /erase",
    "GET /move",
    "HEAD /move",
    "POST /move",
    "POST /move/finish",
    "DELETE /move",
  ],
  ...[
    "GET /import",
    "HEAD /import",
    "POST /import",
    "POST /import/entries",
    "POST /import/finish",
    "POST /import/activate",
  ],
  "DELETE /import",
];
