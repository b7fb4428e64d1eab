/**
 * A wallet token's one writing request. `spent` turns true with the first write that commits, so that all mutations of one
 * request share it while a later request is refused. `expiresAt` is ISO 8601. Source: decision I6.
 */
export interface TokenUse {
  readonly token: string;
  readonly expiresAt: string;
  spent: boolean;
}
