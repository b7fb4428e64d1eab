import { isLoopbackHost } from "@dataspace/protocol/loopback-host";
import { Refusal } from "./refusal.ts";

/**
 * Which web pages may call. `any`: every origin, never with cookies. `loopback`: only pages of this machine, reached
 * under a loopback name, and the hosts in `allowHosts`. It is for a server that trusts a header: otherwise any page
 * that a developer visits, or a name rebound to 127.0.0.1, could act as the owner.
 *
 * Source: decision V20.
 */
export interface CrossOriginPolicy {
  readonly origins: "any" | "loopback";
  readonly allowHosts?: readonly string[];
}

/**
 * Refuses a request whose Origin or Host the policy does not allow.
 *
 * Refuses: ORIGIN_NOT_ALLOWED (403). Source: decision V20.
 */
export function assertOriginAllowed(
  policy: CrossOriginPolicy,
  host: string | undefined,
  origin: string | undefined,
): void {
  if (policy.origins === "any") return;
  if (origin !== undefined && !isAllowed(policy, hostOfOrigin(origin))) throw originRefused("web page", origin);
  if (host !== undefined && !isAllowed(policy, hostName(host))) throw originRefused("host", host);
}

function isAllowed(policy: CrossOriginPolicy, host: string): boolean {
  return isLoopbackHost(host) || (policy.allowHosts ?? []).includes(host);
}

/**
 * Checks whether a socket's remote end is this machine. In: `remoteAddress`, also in the form of a dual-stack socket.
 * Refuses: never.
 */
export function isLoopbackPeer({ remoteAddress = "" }: { readonly remoteAddress?: string | undefined }): boolean {
  return isLoopbackHost(remoteAddress.replace(/^::ffff:/, ""));
}

function hostOfOrigin(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname : "";
}

function hostName(host: string): string {
  const colon = host.lastIndexOf(":");
  const hasPort = colon !== -1 && /^\d+$/.test(host.slice(colon + 1));
  return (hasPort ? host.slice(0, colon) : host).toLowerCase();
}

function originRefused(what: string, name: string): Refusal {
  return new Refusal(
    "ORIGIN_NOT_ALLOWED",
    `The ${what} ${JSON.stringify(name.slice(0, 200))} may not call this development server; add its host name to DS_DEV_ORIGINS.`,
    { status: 403 },
  );
}
