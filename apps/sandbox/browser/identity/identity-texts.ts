/** The texts of the area Identity. Source: S3 "Sandbox", identities. */
export const IDENTITY_TEXTS = {
  none: "None yet",
  ename: "eName",
  theEName: "the eName",
  vault: "Vault",
  vaultAddress: "the vault's address",
  saved: "Saved. New identities are created there.",
  notHere:
    "These addresses are not on this machine, and the sandbox's keys are for testing. Tick the box to use them anyway.",
  noAddress: (typed: string) => `Enter an address such as http://127.0.0.1:4321, not ${typed}.`,
  noCode: "Enter the code that the provisioner's operator gave you. Without a code no vault is created.",
} as const;

/** The texts for the people of a development stack. Source: decision P5. */
export const DEMO_TEXTS = {
  lead: "Or open as a demo person of this development stack:",
  doing: (name: string) => `Open as ${name}`,
  done: (name: string) => `Opened as ${name}`,
} as const;

/** The texts for exporting, importing and forgetting an identity. */
export const IDENTITY_FILE_TEXTS = {
  select: "Select an identity first.",
  export: "Export an identity",
  exported: (ename: string) => `Exported ${ename}: whoever has the file is its owner`,
  exportedHint: "Exported. Keep the file where only you can read it.",
  nothingToExport: "This browser has lost the key of this identity; nothing can be exported.",
  import: "Import an identity",
  imported: (ename: string) => `Imported ${ename}`,
  noIdentity: "This file holds no identity. Choose one that the sandbox exported.",
  warning:
    "The browser deletes its key. Unless you exported the identity, nobody can act as it again. The vault stays.",
  exportFirst: "Export first",
  confirm: (name: string) => `Forget ${name}`,
  keep: "Keep it",
  forget: "Forget an identity",
  forgot: (ename: string) => `Forgot ${ename}`,
} as const;
