import type { Listener } from "../matching/listener.ts";
import { type Consumer, DEV_CONSUMER } from "../store/consumer-rows.ts";

/**
 * Describes a consumer for the decision whether it may receive an event.
 *
 * In: `legacyTokens` is DS_LEGACY_PLATFORM_TOKENS; with `reject` an operator's approval opens no legacy record.
 * Refuses: never. Source: decisions E4, E9, I7.
 */
export function listenerOf(
  { id, ename, platform, approved }: Consumer,
  { legacyTokens }: { readonly legacyTokens: "accept" | "read-only" | "reject" },
): Listener {
  const isDev = id === DEV_CONSUMER.id;
  return {
    ename,
    platform: approved ? platform : null,
    isPlatform: approved && (isDev || legacyTokens !== "reject"),
    isDev,
  };
}
