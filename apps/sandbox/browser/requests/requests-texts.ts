/** The texts of the area Requests. Source: S3 "Sandbox"; decision I10. */
export const REQUESTS_TEXTS = {
  answer: "Answer a request",
  cancelled: "Cancelled. Nothing was signed.",
  fileNeedsNone: "A file needs no signature. Open it in the vault of its owner.",
  signed: (ename: string, host: string) => `Signed as ${ename} for ${host}`,
  result: (name: string, result: string) => `${name}: ${result}`,
  loggedIn: (host: string) => `logged in at ${host}: it accepted the signature.`,
  accepted: (host: string) => `signed, and ${host} accepted the signature.`,
  lastAction: "Last action",
  exchange: "Request and answer",
  asked: "Asked",
  status: "Status",
} as const;

/** The texts for signing any text. Source: S3 "Sandbox", sign payload. */
export const SIGN_TEXTS = {
  sign: "Sign a text",
  signature: "the signature",
  payload: "Signed this text",
  signed: (length: number, ename: string) => `Signed ${length} characters as ${ename}`,
} as const;
