/** The packages that a stranger can install, each after those that it imports. A new one is a line here. */
export const PUBLISHED: readonly string[] = [
  "protocol",
  "clients",
  "lanes",
  "outgoing",
  "wallet",
  "vault-client",
  "receiver",
  "wallet-login",
  "adapter",
];
