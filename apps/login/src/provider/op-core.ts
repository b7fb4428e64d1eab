import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "@dataspace/service-kit/clock";
import { createBoundedStore } from "../bounded-store.ts";
import { type SignedLogin, toAccountClaims } from "./account-claims.ts";
import { Provider } from "./library.ts";
import type { LoginLifetimes } from "./lifetimes.ts";
import { toProviderConfiguration } from "./provider-configuration.ts";
import type { SigningKeySet } from "./signing-key-set.ts";
import { createTokenStores, isFull } from "./token-stores.ts";
import type { Adapter, ClientMetadata, KoaContextWithOIDC, Provider as OidcProvider } from "oidc-provider";

/** A client as the protocol needs it. Secrets are SHA-256 in hexadecimal; the previous one is valid until its end (ISO 8601). */
export interface OpClient {
  readonly clientId: string;
  readonly secretHash: string;
  readonly previousSecretHash: string | null;
  readonly previousSecretEndsAt: string | null;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly requireEmail: boolean;
}

/** A valid authorization request that waits for a wallet's signature. */
export interface LoginRequest {
  /** Names the authorization request; only its own browser receives it. */
  readonly id: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly uiLocales: string | undefined;
}

/** What the connector answers instead of a redirect: a page, with its status and headers. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
}

/** How an authorization request ends. */
export type LoginEnd =
  | { readonly signed: SignedLogin }
  | { readonly error: "access_denied"; readonly description: string };

/** The protocol, behind the few acts that the connector has with it. */
export interface OpCore {
  /** Answers one of the protocol's endpoints. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Ends an authorization request. Nothing is answered before `redirect` is called. */
  readonly end: (id: string, end: LoginEnd) => Promise<EndedRequest>;
  /** Forgets an authorization request. */
  readonly forget: (id: string) => Promise<void>;
  readonly sizes: () => Readonly<Record<string, number>>;
  readonly sweep: () => void;
}

/** What became of an ended request: the redirect of its browser to the client, or why there is none. */
export type EndedRequest =
  | { readonly redirect: (exchange: Exchange) => Promise<void> }
  | { readonly fault: "gone" | "full" };

/** One HTTP request with its response; `headers` go with the redirect. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: Readonly<Record<string, string>>;
}

/** What the protocol works with. */
export interface OpDeps {
  readonly clock: Clock;
  readonly findClient: (clientId: string) => Promise<OpClient | undefined>;
  /** Writes the login page of a valid request, in answer to it. */
  readonly showLogin: (login: LoginRequest, request: IncomingMessage) => Promise<PageAnswer>;
  /** Writes the page of a request that must not be redirected, such as one with a wrong redirect URI. */
  readonly showError: (error: Error, request: IncomingMessage) => Promise<PageAnswer>;
  /** Takes note that a client exchanged a code, or that the protocol refused a request of it. */
  readonly onExchange: (clientId: string) => void;
  readonly onProblem: (clientId: string, problem: { readonly error: string; readonly description: string }) => void;
}

/** The settings of the protocol. */
export interface OpConfig {
  readonly issuer: string;
  readonly lifetimes: LoginLifetimes;
  readonly signingKeys: SigningKeySet;
  /** The largest number of values of each kind in memory. */
  readonly mostEntries: number;
}

const ENDED_SECONDS = 60;

/**
 * Makes the OpenID Connect protocol over the library, so that another library could replace it without a change elsewhere.
 *
 * The library's own cookies are removed from every answer: the browser that may end a request is known by the login's cookie
 * alone. Addresses come from the issuer, never from the request's Host.
 * Source: S2 "Endpoints", "States and transitions"; decisions L1, L5, L13.
 */
export function createOpCore(deps: OpDeps, config: OpConfig): OpCore {
  const { clock, findClient } = deps;
  const { issuer, lifetimes, mostEntries: most } = config;
  const stores = createTokenStores({ clock }, { most });
  const signed = createBoundedStore<SignedLogin>({ clock }, { most });
  const extraHeaders = new WeakMap<IncomingMessage, Readonly<Record<string, string>>>();
  const provider = new Provider(
    issuer,
    toProviderConfiguration({
      adapterOf: (model) => (model === "Client" ? clientAdapter(deps) : stores.adapterOf(model)),
      signingKeys: config.signingKeys,
      issuer,
      lifetimes,
      findAccount: async (_context, accountId, token) => ({
        accountId,
        claims: async () => {
          const login = token?.grantId === undefined ? undefined : signed.get(token.grantId);
          if (login === undefined || token?.clientId === undefined) return { sub: accountId };
          return toAccountClaims(login, (await findClient(token.clientId))?.requireEmail ?? false);
        },
      }),
      renderError: async (context, error) => write(context, await deps.showError(error, context.req)),
    }),
  );
  provider.proxy = true;
  compareSecretsByHash(provider);
  provider.on("grant.success", ({ oidc }) => deps.onExchange(oidc.client?.clientId ?? ""));
  reportProblems(provider, deps.onProblem);
  provider.use(async (context, next) => {
    await next();
    context.remove("set-cookie");
    const { Interaction } = context.oidc?.entities ?? {};
    if (context.oidc?.route === "authorization" && context.status === 303 && Interaction !== undefined) {
      context.remove("location");
      write(context, await deps.showLogin(toLoginRequest(Interaction), context.req));
    }
    context.set({ ...extraHeaders.get(context.req) });
  });
  const callback = provider.callback();
  const pinned = new URL(issuer);
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    request.headers["x-forwarded-proto"] = pinned.protocol.slice(0, -1);
    request.headers["x-forwarded-host"] = pinned.host;
    request.headers.host = pinned.host;
    await callback(request, response);
  };
  return {
    handle,
    end: async (id, end) => {
      const interaction = await provider.Interaction.find(id);
      if (interaction === undefined) return { fault: "gone" };
      try {
        interaction.result = "signed" in end ? await grant(provider, interaction, end.signed) : toFailure(end);
        const grantId = interaction.result.consent?.grantId;
        const lifetimeMs = (lifetimes.code + lifetimes.token) * 1000;
        if ("signed" in end && grantId !== undefined && !signed.set(grantId, end.signed, lifetimeMs)) {
          return { fault: "full" };
        }
        await interaction.save(ENDED_SECONDS);
      } catch (error) {
        if (isFull(error)) return { fault: "full" };
        throw error;
      }
      return {
        redirect: async ({ request, response, headers }) => {
          extraHeaders.set(request, headers);
          // The library goes on where it paused, as if its own cookie had come along.
          request.url = `/authorize/${id}`;
          request.method = "GET";
          request.headers.cookie = `${provider.cookieName("resume")}=${id}`;
          await handle(request, response);
        },
      };
    },
    forget: async (id) =>
      stores
        .adapterOf("Interaction")
        .destroy(id)
        .then(() => undefined),
    sizes: stores.sizes,
    sweep: () => {
      stores.sweep();
      signed.sweep();
    },
  };
}

/** A request of an unknown client is nobody's problem. */
function reportProblems(provider: OidcProvider, onProblem: OpDeps["onProblem"]): void {
  const report = ({ oidc }: KoaContextWithOIDC, error: Error): void => {
    const clientId = oidc.client?.clientId ?? oidc.entities.Client?.clientId;
    const { error: code = "server_error", error_detail: detail, error_description: text = "" } = error as OidcError;
    if (clientId !== undefined) onProblem(clientId, { error: code, description: detail ?? text });
  };
  provider.on("authorization.error", report);
  provider.on("grant.error", report);
}

interface OidcError extends Error {
  readonly error?: string;
  readonly error_description?: string;
  readonly error_detail?: string;
}

function toLoginRequest(interaction: {
  readonly uid: string;
  readonly params: Readonly<Record<string, unknown>>;
}): LoginRequest {
  const text = (name: string): string | undefined => {
    const value = interaction.params[name];
    return typeof value === "string" ? value : undefined;
  };
  return {
    id: interaction.uid,
    clientId: text("client_id") ?? "",
    redirectUri: text("redirect_uri") ?? "",
    uiLocales: text("ui_locales"),
  };
}

type Interaction = InstanceType<OidcProvider["Interaction"]>;

async function grant(provider: OidcProvider, interaction: Interaction, login: SignedLogin) {
  const granted = new provider.Grant({ accountId: login.ename, clientId: String(interaction.params["client_id"]) });
  granted.addOIDCScope("openid profile email");
  return {
    login: { accountId: login.ename, amr: [login.amr], ts: login.signedAtSeconds, remember: false },
    consent: { grantId: await granted.save() },
    select_account: {},
  };
}

function toFailure({ error, description }: Extract<LoginEnd, { error: string }>) {
  return { error, error_description: description };
}

function write(
  context: Pick<KoaContextWithOIDC, "set" | "status" | "body">,
  { status, headers, body }: PageAnswer,
): void {
  for (const [name, value] of Object.entries(headers)) context.set(name, value as string | string[]);
  context.status = status;
  context.body = body;
}

function clientAdapter({ findClient, clock }: Pick<OpDeps, "findClient" | "clock">): Adapter {
  const find = async (id: string): Promise<ClientMetadata | undefined> => {
    const client = await findClient(id);
    return (
      client && {
        client_id: client.clientId,
        client_secret: validHashes(client, clock.nowMs()).join(" "),
        client_name: client.name,
        redirect_uris: [...client.redirectUris],
      }
    );
  };
  return {
    find,
    upsert: async () => undefined,
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    destroy: async () => undefined,
    consume: async () => undefined,
    revokeByGrantId: async () => undefined,
  };
}

/** The hashes of the secrets that are valid now, as the library keeps them in the place of a secret. */
function validHashes(client: OpClient, nowMs: number): readonly string[] {
  const { secretHash, previousSecretHash: previous, previousSecretEndsAt: endsAt } = client;
  const hasPrevious = previous !== null && endsAt !== null && Date.parse(endsAt) > nowMs;
  return [secretHash, ...(hasPrevious ? [previous] : [])].map((hex) => `sha256:${hex}`);
}

/** Only hashes of secrets are stored, so the library compares hashes, each in constant time. */
function compareSecretsByHash(provider: OidcProvider): void {
  const { prototype } = provider.Client as unknown as {
    prototype: { compareClientSecret: (this: { clientSecret?: string }, actual: string) => boolean };
  };
  prototype.compareClientSecret = function compareClientSecret(actual) {
    const given = Buffer.from(`sha256:${hash("sha256", actual)}`);
    const expected = (this.clientSecret ?? "").split(" ").map((text) => Buffer.from(text));
    return expected.some((known) => known.length === given.length && timingSafeEqual(known, given));
  };
}
