/** The texts of the list of platforms. Source: decision A2. */
export const PLATFORMS_TEXTS = {
  loading: "Loading platforms",
  load: "Load platforms",
  loaded: (count: number) => `Loaded which platforms had access: ${count} entries`,
  none: { title: "No platform so far", text: "No certified platform has had access yet." },
  certificate: ({ version, level, id, issuer }: Readonly<Record<"version" | "level" | "id" | "issuer", string>>) =>
    `Version ${version}, level ${level}, certificate ${id} of ${issuer}`,
  wrote: "Wrote",
  read: "Read",
  stop: (domain: string) => `Stop ${domain}`,
  allow: (domain: string) => `Allow ${domain}`,
  answers: { admitted: "admitted", refused: "refused", depends: "depends on its reputation" },
  yourPolicy: (answer: string) => `Your policy: ${answer}`,
  more: "Earlier accesses",
  loadMore: "Load earlier accesses",
  loadedMore: "Loaded earlier accesses",
} as const;

/** The texts for the owner's policy on platforms, and for signing another one. */
export const TERMS_TEXTS = {
  blocked: "All certified platforms are blocked from every domain.",
  level: (level: string) => `A platform needs a certificate of level ${level} or higher.`,
  anyDomain: "It may use the domains that its certificate grants.",
  onlyDomains: (domains: string) => `It may use at most these domains, where its certificate grants them: ${domains}.`,
  deniedDomains: (domains: string) => `No platform may use: ${domains}.`,
  reputation: (engine: string, minimum: number | string) => `Its reputation at ${engine} must be at least ${minimum}.`,
  defaultsApply: "You have signed no policy, so the defaults apply.",
  signedBefore: "Your policy, signed ",
  signedAfter: ":",
  forAll: "A policy holds for all certified platforms; it cannot name one of them.",
  blockAll: "Block all platforms",
  restore: "Restore the defaults",
  ask: "You are about to sign this policy:",
  signer: (name: string, ename: string) => `As ${name}, ${ename}`,
  sign: "Sign and apply",
  signing: "Sign an access policy",
  signed: "Signed an access policy; it applies from the next request of every platform",
} as const;
