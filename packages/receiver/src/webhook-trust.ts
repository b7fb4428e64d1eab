import { parseUrl } from "@dataspace/protocol/parse-url";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { isUuid } from "@dataspace/protocol/uuid";
import { isBoundBy } from "@dataspace/protocol/webhook-binding";
import { parseWebhookSecret } from "@dataspace/protocol/webhook-secret";
import { verifyWebhook, type WebhookToVerify } from "@dataspace/protocol/webhook-signature";
import { ReceiverError } from "./receiver-error.ts";
import { createWebhookKeys, type WebhookKeys, type WebhookKeysDeps } from "./webhook-keys.ts";

/**
 * Which webhooks a receiver accepts: those signed with a secret, and those that the awareness service signs for this
 * target.
 */
export interface WebhookTrustConfig {
  /** The secrets of the subscription, `whsec_...`. */
  readonly secrets?: readonly (string | undefined)[];
  /** The address of the awareness service that publishes the keys. */
  readonly awarenessUrl?: string;
  /** The `targetUrl` of the subscription: this receiver's own public address. Required with `awarenessUrl`. */
  readonly targetUrl?: string;
  /**
   * The only subscription ids that are accepted by key. When absent: with secrets none, without secrets all with this
   * target.
   */
  readonly subscriptions?: readonly string[];
  /** Accept every webhook from anybody: for a developer's own machine. */
  readonly insecure?: boolean;
}

/** The headers that verification uses. */
export const TRUST_HEADERS = [
  "webhook-id",
  "webhook-timestamp",
  "webhook-signature",
  "webhook-subscription-id",
  "webhook-binding",
] as const;

/** Reads these headers; null: absent. */
export type TrustHeaders = Readonly<Record<(typeof TRUST_HEADERS)[number], string | null>>;

/** Verifies the origin of a webhook. */
export interface WebhookTrust {
  readonly verify: (webhook: {
    readonly headers: TrustHeaders;
    readonly body: Uint8Array<ArrayBuffer>;
  }) => Promise<void>;
}

interface KeyTrust {
  readonly keys: WebhookKeys;
  readonly targetUrl: string;
  readonly admits: (subscriptionId: string) => boolean;
}

type Judged = Omit<WebhookToVerify, "headers" | "body" | "secrets" | "publicKeys"> &
  Parameters<WebhookTrust["verify"]>[0];

/**
 * Decides once what is trusted. A webhook passes by the signature of a secret. The published keys sign for all
 * subscribers, so by key it passes only with a binding to `targetUrl` and to an accepted subscription.
 *
 * Refuses: here ReceiverError and ProtocolError INVALID_WEBHOOK_SECRET; `verify` with ProtocolError INVALID_WEBHOOK,
 * and with UpstreamError when keys are needed and not available.
 * Source: decisions E3, E9; Standard Webhooks 1.0.0, "Verifying signatures";
 * docs/decisions/2026-11-22-webhook-binding.md.
 */
export function createWebhookTrust(deps: WebhookKeysDeps, config: WebhookTrustConfig): WebhookTrust {
  const secrets = (config.secrets ?? []).map((secret) => parseWebhookSecret(secret ?? ""));
  const byKey = readKeyTrust(deps, config);
  const trustsSomebody = secrets.length > 0 || byKey !== undefined;
  if (config.insecure === true) {
    if (!trustsSomebody) return { verify: async () => {} };
    throw new ReceiverError(
      "INSECURE_AND_TRUST",
      "Give the receiver secrets or awarenessUrl, or insecure: true; not both.",
    );
  }
  if (!trustsSomebody) {
    const message =
      "Give the receiver the secrets of its subscription or the awarenessUrl: it accepts nothing unsigned.";
    throw new ReceiverError("NOTHING_TRUSTED", message);
  }
  return {
    verify: async (delivery) => {
      const judged = { ...delivery, nowSeconds: Math.floor(deps.clock.nowMs() / 1000) };
      const refusal = await findRefusal({ ...judged, secrets, publicKeys: [] });
      if (refusal === undefined) return;
      if (byKey !== undefined && (await isTrustedByKey(byKey, judged))) return;
      throw refusal;
    },
  };
}

function readKeyTrust(deps: WebhookKeysDeps, config: WebhookTrustConfig): KeyTrust | undefined {
  const { awarenessUrl, targetUrl, subscriptions, secrets = [] } = config;
  if (awarenessUrl === undefined) return undefined;
  const keys = createWebhookKeys(deps, keySetUrl(awarenessUrl));
  if (targetUrl === undefined || !isHttpUrl(parseUrl(targetUrl))) {
    const message = "With awarenessUrl, give the receiver the targetUrl of its subscription: its own http(s) address.";
    throw new ReceiverError("INVALID_TARGET_URL", message);
  }
  return { keys, targetUrl, admits: (id) => subscriptions?.includes(id) ?? secrets.length === 0 };
}

function keySetUrl(awarenessUrl: string): string {
  const url = parseUrl(awarenessUrl);
  if (!isHttpUrl(url)) {
    throw new ReceiverError("INVALID_AWARENESS_URL", "awarenessUrl is the http(s) address of the awareness service.");
  }
  return `${url.origin}${url.pathname.replace(/\/$/, "")}/.well-known/webhook-keys`;
}

function isHttpUrl(url: URL | undefined): url is URL {
  return url !== undefined && /^https?:$/.test(url.protocol);
}

async function isTrustedByKey({ keys, targetUrl, admits }: KeyTrust, judged: Judged): Promise<boolean> {
  const { headers, body } = judged;
  const subscriptionId = headers["webhook-subscription-id"] ?? "";
  const header = headers["webhook-binding"] ?? "";
  const hasBoth = headers["webhook-signature"]?.includes("v1a,") === true && header.includes("v1a,");
  if (!hasBoth || !isUuid(subscriptionId) || !admits(subscriptionId)) return false;
  const binding = {
    id: headers["webhook-id"] ?? "",
    timestampSeconds: Number(headers["webhook-timestamp"]),
    subscriptionId,
    targetUrl,
    bodySha256: new Uint8Array(await crypto.subtle.digest("SHA-256", body)),
  };
  const isSignedBy = async (publicKeys: readonly CryptoKey[]) =>
    (await findRefusal({ ...judged, secrets: [], publicKeys })) === undefined &&
    (await isBoundBy(publicKeys, header, binding));
  const known = await keys.current();
  if (await isSignedBy(known)) return true;
  const newer = await keys.newerThan(known);
  return newer !== undefined && (await isSignedBy(newer));
}

/** Why the signature is not trusted. Faults of other headers are thrown, since no key can fix them. */
async function findRefusal(webhook: WebhookToVerify): Promise<ProtocolError | undefined> {
  try {
    await verifyWebhook(webhook);
    return undefined;
  } catch (error) {
    if (error instanceof ProtocolError && error.at === "webhook-signature") return error;
    throw error;
  }
}
