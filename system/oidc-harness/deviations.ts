/** Something that OpenID certification asks for and the specification forbids. */
export interface Deviation {
  readonly says: string;
  readonly source: string;
  /** The modules that fail because of it; no other module may fail. */
  readonly modules: readonly string[];
}

/** The closed list of deviations. Source: decision L3. */
export const DEVIATIONS: readonly Deviation[] = [
  {
    says: "Every login needs the wallet, so no request succeeds without a page: there is no session to reuse.",
    source: "S2 “What the service does”, 5",
    modules: ["oidcc-prompt-none-logged-in", "oidcc-max-age-10000", "oidcc-id-token-hint"],
  },
  {
    says: "ID tokens are signed with ES256 alone, so discovery does not list RS256.",
    source: "S2 “What the service does”, 4",
    modules: ["oidcc-discovery-endpoint-verification"],
  },
  {
    says: "PKCE with S256 is required, so the harness adds it to every request.",
    source: "S2 “What the service does”, 4",
    modules: [],
  },
];
