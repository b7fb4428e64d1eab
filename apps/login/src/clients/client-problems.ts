import type { Clock } from "@dataspace/service-kit/clock";

/** A request of a client that the protocol refused: when (ISO 8601), its error code, and the protocol's description. */
export interface ClientProblem {
  readonly at: string;
  readonly error: string;
  readonly description: string;
}

/** The last refused request of each client, in memory, for the client's page. */
export interface ClientProblems {
  readonly note: (clientId: string, problem: Pick<ClientProblem, "error" | "description">) => void;
  readonly find: (clientId: string) => ClientProblem | undefined;
  /** Forgets the problem of a client whose login has succeeded. */
  readonly clear: (clientId: string) => void;
}

const MOST_CLIENTS = 1_000;
const LONGEST_TEXT = 300;

/** What to do about a description of the protocol library that contains the given words, the first that fits. */
const ADVICE: readonly (readonly [words: string, advice: string])[] = [
  ["pkce", "Switch on PKCE with the method S256 at your identity provider."],
  ["code_challenge", "Switch on PKCE with the method S256 at your identity provider."],
  ["code_verifier", "Switch on PKCE with the method S256 at your identity provider."],
  ["redirect_uri", "Register exactly the redirect URI that your identity provider sends."],
  ["invalid secret", "The client secret is wrong. Paste it again, or make a new one."],
  [
    "no client authentication",
    "Your identity provider sent no secret. Choose client_secret_basic or client_secret_post.",
  ],
  ["openid is required", "Add the scope openid."],
  ["login_required", "Your identity provider sent prompt=none. Every login needs the wallet, so switch that off."],
  ["response_type", "Choose the authorization code flow: response_type=code."],
  ["grant", "The code was used twice, is older than its lifetime, or belongs to another client or redirect URI."],
];

/** Makes the record. It holds at most 1,000 clients and forgets the oldest problem first. Refuses: never. */
export function createClientProblems({ clock }: { readonly clock: Clock }): ClientProblems {
  const problems = new Map<string, ClientProblem>();
  return {
    note: (clientId, { error, description }) => {
      problems.delete(clientId);
      const [oldest] = problems.keys();
      if (problems.size >= MOST_CLIENTS && oldest !== undefined) problems.delete(oldest);
      const at = new Date(clock.nowMs()).toISOString();
      problems.set(clientId, { at, error, description: description.slice(0, LONGEST_TEXT) });
    },
    find: (clientId) => problems.get(clientId),
    clear: (clientId) => {
      problems.delete(clientId);
    },
  };
}

/** Says what to do about a problem. Refuses: never. */
export function adviceFor({ error, description }: Pick<ClientProblem, "error" | "description">): string {
  const text = `${error} ${description}`.toLowerCase();
  return (
    ADVICE.find(([words]) => text.includes(words))?.[1] ??
    "Compare your identity provider's settings with the values above."
  );
}
