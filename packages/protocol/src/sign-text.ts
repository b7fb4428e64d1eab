/**
 * Signs a text and gives the signature in any accepted encoding: a key at hand, or a wallet that is asked by `ds://sign`.
 *
 * Source: S3 "Canonical payloads"; decisions I9, I10.
 */
export type SignText = (text: string) => Promise<string>;
