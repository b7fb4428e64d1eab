import type { VaultErrorCode } from "../errors.ts";

/** An entry of a GraphQL answer's `errors`. Source: decision V2; GraphQL specification 7.1.2. */
export interface RequestError {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly path?: readonly (string | number)[];
  readonly extensions: { readonly code: VaultErrorCode; readonly field?: string };
}
