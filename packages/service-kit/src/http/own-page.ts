import { isLoopbackHost } from "@dataspace/protocol/loopback-host";
import { isLoopbackPeer } from "./cross-origin.ts";
import type { FastifyRequest } from "fastify";

/**
 * Whether a request comes from this machine, names a loopback host, and does not come from a page of another origin. A
 * host name that an attacker points at 127.0.0.1 is not a loopback host. Refuses: never. Source: decision P5; W3C Fetch Metadata.
 */
export function isOwnPage({ headers, socket }: FastifyRequest): boolean {
  // No script can change the header by which a browser names the site of the page that asks.
  const site = headers["sec-fetch-site"];
  const isHere = isLoopbackPeer(socket) && isLoopbackHost(hostOf(headers.host));
  return isHere && (site === undefined || site === "same-origin");
}

function hostOf(header: string | undefined): string {
  return URL.parse(`http://${header ?? ""}`)?.hostname ?? "";
}
