/** A reading that a condition asks for, and the test of its value. */
interface Reading {
  readonly ontology: string;
  readonly issuer: string | undefined;
  readonly test: string;
}

/** The sentences that say whom a record's policy admits. Source: S1 "Access policy"; decisions V11, V12, V24. */
export const POLICY_TEXTS = {
  permissions: { read: "read", create: "create", update: "update", delete: "delete", none: "do nothing" },
  list: (first: string, last: string) => `${first} and ${last}`,
  unshared:
    "No other person can read it until you share it. Platforms can, where your platform policy or the vault's operator admits them.",
  simpleList:
    "If this is a simple access list, platforms may use the record too, where your platform policy or the vault's operator admits them.",
  draftPlatforms: "A platform may do only what these sentences allow, within your platform policy.",
  unreadable: "This page cannot read the record's policy, so it cannot say who has access.",
  nobody: "Nobody may do anything: a denial has a condition without an issuer, and nobody meets such a condition.",
  denied: (ename: string) => `${ename}, and its members if it is a group, are denied access, whatever follows.`,
  deniedWithout: (condition: string) => `Anybody without ${condition} is denied access, whatever follows.`,
  granted: (ename: string, may: string) => `${ename}, or its members if it is a group, may ${may}.`,
  owner: (may: string) => `You, the owner, may ${may}, and may always replace this policy.`,
  ownerUnless: (may: string) =>
    `You, the owner, may ${may}, unless a condition or a group decides otherwise, and may always replace this policy.`,
  mayLockOut:
    "A denied group or a condition may lock you out of this record. You can still replace this policy later, as the owner of the vault.",
  locksOut: (may: string) =>
    `You lock yourself out: with this policy you may ${may} here. You can still replace this policy later, as the owner of the vault.`,
  noOthers: "No other person may do anything.",
  others: "Anybody who is signed in",
  anybodyElse: "Anybody else who is signed in",
  othersMay: (others: string, may: string) => `${others} may ${may}.`,
  othersWith: (others: string, conditions: string, may: string) => `${others} and has ${conditions} may ${may}.`,
  and: " and ",
  or: ", or ",
  reading: ({ ontology, issuer, test }: Reading) => `a reading of ${ontology} by ${issuer} with ${test}`,
  recentReading: ({ ontology, issuer, test, maxAgeSeconds }: Reading & { readonly maxAgeSeconds: number }) =>
    `a reading of ${ontology} by ${issuer}, at most ${maxAgeSeconds} seconds old with ${test}`,
} as const;

/** The texts of the form that changes who may use a record. Source: decision V22. */
export const SHARING_TEXTS = {
  change: "Change sharing",
  preview: "After saving:",
  save: "Save sharing",
  changed: (title: string) => `Changed who may use "${title}"`,
  denyAll: "deny all",
  you: (ename: string) => `You (${ename})`,
  add: "Add person",
  shareWith: "Share with",
  shareHint: "A person, a group or a platform: @ followed by a UUID.",
  everybody: "Everybody who is signed in",
  everybodyWithConditions: "Everybody who meets the conditions",
} as const;
