/** The languages of the login pages. Source: S2 "Login flow"; decision L10. */
export type Language = "en" | "nl" | "de" | "fr" | "es" | "sv" | "ar";

/** Every text of the login pages in one language. `{client}`, `{ename}`, `{host}` and `{time}` are placeholders. */
export interface Words {
  readonly logInTo: string;
  readonly returnsTo: string;
  readonly scan: string;
  readonly approve: string;
  readonly openWallet: string;
  readonly openSandbox: string;
  readonly nothingHappened: string;
  readonly otherDevice: string;
  readonly codeName: string;
  readonly validFor: string;
  readonly waiting: string;
  readonly signedIn: string;
  readonly continueTo: string;
  readonly newCode: string;
  readonly cancel: string;
  readonly warning: string;
  readonly privacy: string;
  readonly expired: string;
  readonly bad_signature: string;
  readonly no_certificate: string;
  readonly unknown_ename: string;
  readonly upstream_timeout: string;
  readonly upstream_unavailable: string;
  readonly otherBrowserTitle: string;
  readonly otherBrowser: string;
  readonly signedElsewhereTitle: string;
  readonly signedElsewhere: string;
  readonly overTitle: string;
  readonly over: string;
  readonly fullTitle: string;
  readonly full: string;
  readonly refusedTitle: string;
  readonly confirm: string;
  readonly failedTitle: string;
  readonly approveHere: string;
}

/** A language with its texts and its direction. */
export interface Speech {
  readonly language: Language;
  readonly direction: "ltr" | "rtl";
  readonly words: Words;
}
