import { type Fetch, fetchJson } from "@dataspace/clients/timed-fetch";
import { ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import type { RegistryClient } from "@dataspace/clients/registry-client";
import type { EName } from "@dataspace/protocol/ename";
import type { Log } from "@dataspace/service-kit/log";
import type { Profile } from "../provider/account-claims.ts";
import { pickProfile } from "./pick-profile.ts";

/**
 * The dependencies of reading a profile. `platformToken` returns the connector's own token, or undefined where the
 * registry issues none.
 */
export interface ReadProfileDeps {
  readonly registry: Pick<RegistryClient, "resolve">;
  readonly guardedFetch: Fetch;
  readonly platformToken: () => Promise<string | undefined>;
  readonly log: Log;
}

const MOST_BYTES = 1_048_576;
const QUERY = `query($user: ID!, $professional: ID!) {
  user: metaEnvelopes(filter: { ontologyId: $user }, first: 20) { edges { node { parsed } } }
  professional: metaEnvelopes(filter: { ontologyId: $professional }, first: 20) { edges { node { parsed } } }
}`;

/**
 * Makes the reader of a signer's profile: User first, then ProfessionalProfile.
 *
 * Out: the vault's profile; an empty one when the registry or the vault is slow, unreachable or refuses. Refuses:
 * never.
 * Source: S2 "Claims".
 */
export function createReadProfile(
  deps: ReadProfileDeps,
  config: { readonly timeoutMs: number },
): (ename: EName) => Promise<Profile> {
  return async (ename) => {
    const late = Promise.withResolvers<Profile>();
    const timer = setTimeout(() => late.resolve({}), config.timeoutMs);
    try {
      return await Promise.race([read(deps, config, ename), late.promise]);
    } catch (error) {
      deps.log.info({ err: error }, "a profile could not be read; the login goes on without it");
      return {};
    } finally {
      clearTimeout(timer);
    }
  };
}

async function read(
  deps: ReadProfileDeps,
  { timeoutMs }: { readonly timeoutMs: number },
  ename: EName,
): Promise<Profile> {
  const [address, token] = await Promise.all([
    deps.registry.resolve(ename),
    deps.platformToken().catch(() => undefined),
  ]);
  if (address === undefined) return {};
  const answer = await fetchJson(deps.guardedFetch, {
    url: `${address.uri}/graphql`,
    method: "POST",
    headers: { "x-ename": ename, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    body: { query: QUERY, variables: { user: ONTOLOGY_ID.User, professional: ONTOLOGY_ID.ProfessionalProfile } },
    timeoutMs,
    maxBytes: MOST_BYTES,
  });
  const { data } = (answer ?? {}) as { data?: { user?: unknown; professional?: unknown } | null };
  return pickProfile(ename, { user: payloadsOf(data?.user), professional: payloadsOf(data?.professional) });
}

type Payload = Readonly<Record<string, unknown>>;

function payloadsOf(connection: unknown): readonly Payload[] {
  const { edges } = (connection ?? {}) as { edges?: unknown };
  if (!Array.isArray(edges)) return [];
  return edges.flatMap((edge: { node?: { parsed?: unknown } } | null) => {
    const parsed = edge?.node?.parsed;
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? [parsed as Payload] : [];
  });
}
