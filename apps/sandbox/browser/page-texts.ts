/** The texts of the sandbox's program that belong to no single area. Those of the first page are in `sandbox-words.ts`. */
export const PAGE_TEXTS = {
  noStorage:
    "This browser stores no data for this page, so your identities would be lost. Allow site data, and load the page again.",
  noIdentity: "Provision an identity first.",
  lostKey: (ename: string) => `This browser has lost the key of ${ename}. Import its file, or forget this identity.`,
  rule: "Rule: ",
  tryAgain: "Try again",
  cancel: "Cancel",
  cut: (start: string, length: number) => `${start} … (${length} characters)`,
} as const;
