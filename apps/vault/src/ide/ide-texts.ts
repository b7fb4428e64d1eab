/** The texts of the IDE's pages. */
export const IDE_TEXTS = {
  title: "GraphQL",
  reference: "Reference",
  schema: "Schema",
  editor: "GraphQL editor",
  vaultOf: "Vault of",
  signedAs: "Signed as",
  nobody: "No token",
  nobodyEnforced: "Requests are anonymous.",
  nobodyTrusted: "This vault treats every caller as the owner.",
  chooseOwner: "Choose the owner",
  chooseSigner: "Choose who signs",
  otherOwner: "Another eName",
  open: "Open",
  token: "Wallet token",
  tokenHint: "Stays in this page. A token is valid for one write.",
  tokenHintTrusted: "Optional: without it this vault treats every caller as the owner.",
} as const;

/** Texts of Altair that are replaced, by their keys in its file of English texts. */
export const ALTAIR_TEXTS = {
  QUERY_RESULT_NO_RESULT_TEXT: "Press Send. The vault's answer appears here.",
  SEND_REQUEST_BUTTON: "Send",
  DOCS_TEXT: "Docs",
  ADD_NEW_WINDOW_TEXT: "New tab",
  SET_HEADERS_DIALOG_SUBTEXT: "Headers of this tab. The page itself sets X-ENAME and the token.",
  HEADERS_FORBIDDEN_NOTICE: "",
  HEADERS_GLOBAL_HEADERS_NOTICE: "",
  HISTORY_SUB_TEXT: "Choose an operation to open it again.",
  SERVER_NO_INTROSPECTION_SUPPORT: "This vault does not describe its schema here. Read schema.graphql instead.",
} as const;
