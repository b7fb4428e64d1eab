import { createLoginCookie } from "@dataspace/wallet-login/login-cookie";
import type { FastifyRequest } from "fastify";

/** The cookie of a developer's session. */
export interface SessionCookie {
  readonly read: (request: FastifyRequest) => string | undefined;
  readonly write: (value: string) => string;
  readonly clear: () => string;
}

const SESSION_SECONDS = 28_800;

/** Makes the cookie: HttpOnly and SameSite=Strict; under https also Secure, with the prefix `__Host-`. Refuses: never. Source: decision L11. */
export function createSessionCookie(issuer: string): SessionCookie {
  const cookie = createLoginCookie("ds_portal", issuer.startsWith("https:"), "Strict");
  return {
    read: ({ headers }) => cookie.read(headers.cookie),
    write: (value) => cookie.write(value, SESSION_SECONDS),
    clear: cookie.clear,
  };
}
