import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { parseWebhookSecret } from "@dataspace/protocol/webhook-secret";
import { verifyWebhook, type WebhookToVerify } from "@dataspace/protocol/webhook-signature";
import { ReceiverError } from "./receiver-error.ts";
import { createWebhookKeys, type WebhookKeys, type WebhookKeysDeps } from "./webhook-keys.ts";

/** Whose webhooks are taken. `secrets`: those of the subscription, `whsec_...`; `awarenessUrl`: the service that sends. */
export interface WebhookTrustConfig {
  readonly secrets?: readonly (string | undefined)[];
  readonly awarenessUrl?: string;
  /** Take whatever comes, from anybody: for a developer's own machine. */
  readonly insecure?: boolean;
}

/** Judges whether a webhook comes from where it should. */
export interface WebhookTrust {
  readonly verify: (
    webhook: Pick<WebhookToVerify, "headers" | "body"> & { readonly isChallenge: boolean },
  ) => Promise<void>;
}

/**
 * Decides once what is trusted. Where there are secrets, events are taken by secret alone: the keys of the awareness service
 * sign for all of its subscribers. A challenge is taken by key too, since it comes before its secret is known.
 *
 * Refuses: here ReceiverError and ProtocolError INVALID_WEBHOOK_SECRET; `verify` with ProtocolError INVALID_WEBHOOK, and
 * with UpstreamError when keys are needed and cannot be had.
 * Source: decisions E3, E9; Standard Webhooks 1.0.0, "Verifying signatures".
 */
export function createWebhookTrust(deps: WebhookKeysDeps, config: WebhookTrustConfig): WebhookTrust {
  const secrets = (config.secrets ?? []).map((secret) => parseWebhookSecret(secret ?? ""));
  const keys = config.awarenessUrl === undefined ? undefined : createWebhookKeys(deps, keySetUrl(config.awarenessUrl));
  const trustsSomebody = secrets.length > 0 || keys !== undefined;
  if (config.insecure === true) {
    if (!trustsSomebody) return { verify: async () => {} };
    throw new ReceiverError(
      "INSECURE_AND_TRUST",
      "Give the receiver secrets or awarenessUrl, or insecure: true; not both.",
    );
  }
  if (!trustsSomebody) {
    const message = "Give the receiver the secrets of its subscription or the awarenessUrl: it takes nothing unsigned.";
    throw new ReceiverError("NOTHING_TRUSTED", message);
  }
  return {
    verify: async ({ headers, body, isChallenge }) => {
      const webhook = { headers, body, nowSeconds: Math.floor(deps.clock.nowMs() / 1000) };
      const refusal = await findRefusal({ ...webhook, secrets, publicKeys: [] });
      if (refusal === undefined) return;
      const hasKeySignature = headers["webhook-signature"]?.includes("v1a,") === true;
      const mayUseKeys = hasKeySignature && (isChallenge || secrets.length === 0);
      if (keys !== undefined && mayUseKeys && (await isSignedByKey(keys, { ...webhook, secrets: [] }))) return;
      throw refusal;
    },
  };
}

function keySetUrl(awarenessUrl: string): string {
  const url = URL.parse(awarenessUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new ReceiverError("INVALID_AWARENESS_URL", "awarenessUrl is the http(s) address of the awareness service.");
  }
  return `${url.origin}${url.pathname.replace(/\/$/, "")}/.well-known/webhook-keys`;
}

async function isSignedByKey(keys: WebhookKeys, webhook: Omit<WebhookToVerify, "publicKeys">): Promise<boolean> {
  const known = await keys.current();
  if ((await findRefusal({ ...webhook, publicKeys: known })) === undefined) return true;
  const newer = await keys.newerThan(known);
  return newer !== undefined && (await findRefusal({ ...webhook, publicKeys: newer })) === undefined;
}

/** Why the signature is not trusted; what is wrong with the other headers is thrown, since no key can mend it. */
async function findRefusal(webhook: WebhookToVerify): Promise<ProtocolError | undefined> {
  try {
    await verifyWebhook(webhook);
    return undefined;
  } catch (error) {
    if (error instanceof ProtocolError && error.at === "webhook-signature") return error;
    throw error;
  }
}
