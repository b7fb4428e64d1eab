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
  const isSecure = issuer.startsWith("https:");
  const name = isSecure ? "__Host-ds_portal" : "ds_portal";
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  return {
    // A request that is refused on its headers has no cookies yet.
    read: ({ cookies }: { readonly cookies: FastifyRequest["cookies"] | null }) => cookies?.[name],
    write: (value) => `${name}=${value}; Max-Age=${SESSION_SECONDS}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}
