import { createLoginCookie } from "@dataspace/wallet-login/login-cookie";
import type { FastifyReply, FastifyRequest } from "fastify";

/** A cookie of the portal: for the whole origin, out of reach of scripts, secure where the origin is https. */
export interface PortalCookie {
  readonly read: (request: FastifyRequest) => string | undefined;
  readonly write: (reply: FastifyReply, value: string) => void;
  readonly clear: (reply: FastifyReply) => void;
}

/** What a cookie is called, and how long it is valid. */
export interface PortalCookieConfig {
  readonly name: string;
  readonly seconds: number;
  readonly publicUrl: () => string;
}

/**
 * Makes a cookie that other sites cannot cause to be sent. Under https its name begins with `__Host-`, which no neighbouring host can set.
 *
 * Refuses: never. Source: decision L11; RFC 6265bis 4.1.3.
 */
export function createPortalCookie({ name, seconds, publicUrl }: PortalCookieConfig): PortalCookie {
  const cookie = () => createLoginCookie(name, publicUrl().startsWith("https:"), "Strict");
  return {
    read: ({ headers }) => cookie().read(headers.cookie),
    write: (reply, value) => reply.header("set-cookie", cookie().write(value, seconds)),
    clear: (reply) => reply.header("set-cookie", cookie().clear()),
  };
}
