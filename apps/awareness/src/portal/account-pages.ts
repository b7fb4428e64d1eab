import { formOf } from "@dataspace/service-kit/http/own-form";
import type { Clock } from "@dataspace/service-kit/clock";
import type { ApiKeys } from "../consumers/api-keys.ts";
import type { Platforms } from "../consumers/platforms.ts";
import { apiKeysPage } from "./api-keys-page.ts";
import { toFault } from "./fault-page.ts";
import { platformsPage } from "./platforms-page.ts";
import { secretPage } from "./secret-page.ts";
import type { ShowPage } from "./subscription-pages.ts";
import { visitorOf } from "./visitor.ts";
import type { FastifyInstance } from "fastify";

interface ApiKeyPagesDeps {
  readonly clock: Clock;
  readonly apiKeys: ApiKeys;
  readonly show: ShowPage;
}

interface PlatformPagesDeps {
  readonly platforms: Platforms;
  readonly show: ShowPage;
}

const KEYS = "/portal/api-keys";
const PLATFORMS = "/portal/platforms";

/** Serves the pages of API keys. Refuses: as `ApiKeys`; faults of a form are shown in it. Source: decision E9. */
export function mountApiKeyPages(app: FastifyInstance, { apiKeys, clock, show }: ApiKeyPagesDeps): void {
  app.get(KEYS, async (request, reply) => {
    const visitor = visitorOf(request);
    return show(request, reply, apiKeysPage(visitor, { apiKeys: await apiKeys.list(visitor), nowMs: clock.nowMs() }));
  });
  app.post(KEYS, async (request, reply) => {
    const visitor = visitorOf(request);
    const label = formOf(request).get("label") ?? "";
    try {
      const { key } = await apiKeys.add(visitor, { label });
      return await show(request, reply.code(201), secretPage({ ...NEW_KEY, secret: key }));
    } catch (error) {
      const fault = toFault(error);
      const shown = { apiKeys: await apiKeys.list(visitor), nowMs: clock.nowMs(), label, fault };
      return show(request, reply.code(422), apiKeysPage(visitor, shown));
    }
  });
  app.post<{ Params: { id: string } }>(`${KEYS}/:id/revoke`, async (request, reply) => {
    await apiKeys.revoke(visitorOf(request), request.params.id);
    return reply.redirect(KEYS, 303);
  });
}

/**
 * Serves the operator's page of platforms. Refuses: NOT_AN_ADMIN; faults of a form are shown in it. Source: decision
 * E9.
 */
export function mountPlatformPages(app: FastifyInstance, { platforms, show }: PlatformPagesDeps): void {
  app.get(PLATFORMS, async (request, reply) => {
    const visitor = visitorOf(request);
    return show(request, reply, platformsPage(visitor, { platforms: await platforms.list(visitor) }));
  });
  app.post(PLATFORMS, async (request, reply) => {
    const visitor = visitorOf(request);
    const form = formOf(request);
    const [ename = "", platform = ""] = ["ename", "platform"].map((name) => form.get(name)?.trim());
    try {
      await platforms.approve(visitor, ename, platform === "" ? {} : { platform });
      return await reply.redirect(PLATFORMS, 303);
    } catch (error) {
      const fault = toFault(error);
      const shown = { platforms: await platforms.list(visitor), ename, platform, fault };
      return show(request, reply.code(422), platformsPage(visitor, shown));
    }
  });
  app.post<{ Params: { ename: string } }>(`${PLATFORMS}/:ename/withdraw`, async (request, reply) => {
    await platforms.withdraw(visitorOf(request), request.params.ename);
    return reply.redirect(PLATFORMS, 303);
  });
}

const NEW_KEY = {
  title: "API key created",
  what: "API key",
  about: "Send it as “Authorization: Bearer”, from your server only. Whoever has it can act as you.",
  place: "api-keys",
  goOn: KEYS,
} as const;
