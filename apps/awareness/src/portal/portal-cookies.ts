import type { FastifyReply, FastifyRequest } from "fastify";

/** A cookie of the portal: for the whole origin, not readable by scripts, secure where the origin is https. */
export interface PortalCookie {
  readonly read: (request: FastifyRequest) => string | undefined;
  readonly write: (reply: FastifyReply, value: string) => void;
  readonly clear: (reply: FastifyReply) => void;
}

/** The name of a cookie, its lifetime, and whether it is sent when another site links here. */
export interface PortalCookieConfig {
  readonly name: string;
  readonly seconds: number;
  readonly sameSite: "strict" | "lax";
  readonly publicUrl: () => string;
}

/**
 * Makes a cookie. Under https its name begins with `__Host-`, which no neighbouring host can set.
 *
 * Refuses: never. Source: decision L11; RFC 6265bis 4.1.3.
 */
export function createPortalCookie({ name, seconds, sameSite, publicUrl }: PortalCookieConfig): PortalCookie {
  const isSecure = () => publicUrl().startsWith("https:");
  const fullName = () => (isSecure() ? `__Host-${name}` : name);
  const options = () => ({ path: "/", httpOnly: true, sameSite, secure: isSecure() });
  return {
    read: (request) => request.cookies[fullName()],
    write: (reply, value) => reply.setCookie(fullName(), value, { ...options(), maxAge: seconds }),
    clear: (reply) => reply.clearCookie(fullName(), options()),
  };
}
