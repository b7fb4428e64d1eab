/** The lifetimes of a login session, a code, and both tokens, in seconds. Source: S2 "Limits". */
export interface LoginLifetimes {
  readonly session: number;
  readonly code: number;
  readonly token: number;
}
