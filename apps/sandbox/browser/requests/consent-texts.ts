import type { TextKind } from "@dataspace/wallet/text-meaning";

/** A wish of a platform at a host as a sentence, and what the log says after it is granted. */
interface Wish {
  readonly wish: (host: string) => string;
  readonly done: (host: string) => string;
}

/** The texts of the consent card, which shows what a request wants before anything is signed. Source: decision I10. */
export const CONSENT_TEXTS = {
  asker: "Who asks",
  callsItselfBefore: "calls itself “",
  callsItselfAfter: "”",
  noIdentity: "Provision an identity first. The request stays here.",
  wishAs: (wish: string, name: string) => `${wish} as ${name}`,
  signer: "You sign as ",
  signedText: "What is signed",
  willBeSigned: "What will be signed",
  goesTo: "Goes to",
  address: "Address",
  file: "This is the address of a file. There is nothing to sign.",
  fileOwner: "A file of",
  ename: "the eName",
  record: "Record",
  recordId: "the record's id",
  fileHint: "Its owner finds it in the vault, under Stored file.",
} as const;

/** What a request asks for, and what the log says after it, by the kind of the text to sign. */
export const WISH_TEXTS: Readonly<Record<TextKind | "login", Wish>> = {
  login: { wish: (host) => `Log in to ${host}`, done: (host) => `Signed the login session for ${host}` },
  session: { wish: (host) => `Confirm a session for ${host}`, done: (host) => `Signed a session for ${host}` },
  text: { wish: (host) => `Sign a text for ${host}`, done: (host) => `Signed a text for ${host}` },
  handshake: {
    wish: (host) => `Answer a platform handshake for ${host}`,
    done: (host) => `Signed a handshake for ${host}`,
  },
  deployment: {
    wish: (host) => `Authorise a deployment for ${host}`,
    done: (host) => `Signed a deployment for ${host}`,
  },
  release: { wish: (host) => `Submit a release for ${host}`, done: (host) => `Signed a release for ${host}` },
  accessPolicy: {
    wish: (host) => `Change which platforms may reach your vault, for ${host}`,
    done: (host) => `Signed an access policy for ${host}`,
  },
  signedReading: {
    wish: (host) => `State a reading about somebody for ${host}`,
    done: (host) => `Signed a reading for ${host}`,
  },
  review: {
    wish: (host) => `Decide as a reviewer for ${host}`,
    done: (host) => `Signed a reviewer's decision for ${host}`,
  },
  bindingDocument: {
    wish: (host) => `Sign a binding document for ${host}`,
    done: (host) => `Signed a binding document for ${host}`,
  },
  tokenInput: {
    wish: (host) => `Make a token that acts as you, for ${host}`,
    done: (host) => `Signed a token for ${host}`,
  },
};
