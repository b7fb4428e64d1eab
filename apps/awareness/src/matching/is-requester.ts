import { parseEName } from "@dataspace/protocol/ename";
import type { Listener } from "./listener.ts";

/**
 * Checks whether a consumer is the platform that made a change. Where an address names that platform, a target of the
 * same origin counts too.
 *
 * In: `targetUrl` null where nothing is delivered to an address. Refuses: never; a change without a platform excludes
 * nobody.
 * Source: decision E10.
 */
export function isRequester(
  { ename, platform }: Pick<Listener, "ename" | "platform">,
  targetUrl: string | null,
  requestingPlatform: string | null,
): boolean {
  if (requestingPlatform === null) return false;
  if (requestingPlatform === platform) return true;
  if (ename !== null && toEName(requestingPlatform) === ename) return true;
  const origin = originOf(requestingPlatform);
  return origin !== undefined && targetUrl !== null && originOf(targetUrl) === origin;
}

function toEName(text: string): string | undefined {
  try {
    return parseEName(text);
  } catch {
    return undefined;
  }
}

function originOf(text: string): string | undefined {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}
