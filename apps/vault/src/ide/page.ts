/** A page: its HTML and the Content-Security-Policy it is sent with. */
export interface Page {
  readonly policy: string;
  readonly html: string;
}

/** What every page of the IDE forbids: whatever it does not admit by name, other bases and targets, and being framed. */
export const NOTHING_ELSE = "default-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'";
