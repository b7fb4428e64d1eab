import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import { loginRefusal } from "../errors.ts";
import type { ClientInput } from "./client-input.ts";
import type { ClientChange, ClientRows, LoginClient } from "./client-rows.ts";
import { makeClientId, makeClientSecret } from "./client-secret.ts";

/** An act on a client, for the audit log. It names no person. */
export interface ClientAct {
  readonly act: "created" | "changed" | "secret_rotated" | "previous_secret_ended" | "deleted";
  readonly clientId: string;
}

/** A client with its secret, which is returned this one time. */
export interface ClientWithSecret {
  readonly client: LoginClient;
  readonly secret: string;
}

/** What a developer does with clients; the portal's forms and the management API use it. Each refuses UNKNOWN_CLIENT (404). */
export interface ManageClients {
  readonly list: (owner: EName) => Promise<readonly LoginClient[]>;
  readonly get: (owner: EName, clientId: string) => Promise<LoginClient>;
  /** Refuses: RATE_LIMITED (429) above the number of clients that an eName may create in an hour. */
  readonly create: (owner: EName, input: ClientInput, logo: Uint8Array | undefined) => Promise<ClientWithSecret>;
  readonly change: (owner: EName, clientId: string, change: ClientChange) => Promise<LoginClient>;
  readonly rotateSecret: (owner: EName, clientId: string) => Promise<ClientWithSecret>;
  readonly endPreviousSecret: (owner: EName, clientId: string) => Promise<void>;
  readonly remove: (owner: EName, clientId: string) => Promise<void>;
}

/** How long the secret before a rotation stays valid. */
const OVERLAP_MS = 86_400_000;

/** What the acts work with. */
export interface ManageClientsDeps {
  readonly clock: Clock;
  readonly rows: ClientRows;
  /** Adds the last use that is not stored yet. */
  readonly withUse: (client: LoginClient) => LoginClient;
  /** Is called after each write, also after one that failed: its effect may be unknown. */
  readonly onWrite: (clientId: string) => void;
  /** Is called after each change. */
  readonly onAct: (act: ClientAct) => void;
}

/** Makes the acts. Refuses: as each act. Source: S2 "Client", "Limits"; T-77. */
export function createManageClients(
  { clock, rows, withUse, onWrite, onAct }: ManageClientsDeps,
  { clientsPerHour }: { readonly clientsPerHour: number },
): ManageClients {
  const isoIn = (ms: number): string => new Date(clock.nowMs() + ms).toISOString();
  const get = async (owner: EName, clientId: string): Promise<LoginClient> => {
    const client = await rows.find(clientId);
    if (client?.owner !== owner) throw unknownClient();
    return withUse(client);
  };
  const write = async <Result>(clientId: string, run: () => Promise<Result>): Promise<Result> => {
    try {
      return await run();
    } finally {
      onWrite(clientId);
    }
  };
  const act = async (name: ClientAct["act"], clientId: string, run: () => Promise<boolean>): Promise<void> => {
    if (!(await write(clientId, run))) throw unknownClient();
    onAct({ act: name, clientId });
  };
  return {
    list: async (owner) => (await rows.listOf(owner)).map(withUse),
    get,
    create: async (owner, input, logo) => {
      const { secret, secretHash } = makeClientSecret();
      const clientId = makeClientId();
      const limit = { perHour: clientsPerHour, at: isoIn(0) };
      const waitSeconds = await write(clientId, () => rows.add({ ...input, clientId, owner, secretHash, logo }, limit));
      if (waitSeconds !== undefined) {
        const message = `You may create ${clientsPerHour} clients an hour. Try again in ${Math.ceil(waitSeconds / 60)} minutes.`;
        throw loginRefusal("RATE_LIMITED", message, waitSeconds);
      }
      onAct({ act: "created", clientId });
      return { client: await get(owner, clientId), secret };
    },
    change: async (owner, clientId, change) => {
      await act("changed", clientId, () => rows.change(owner, clientId, change));
      return get(owner, clientId);
    },
    rotateSecret: async (owner, clientId) => {
      const { secret, secretHash } = makeClientSecret();
      const rotation = { secretHash, previousEndsAt: isoIn(OVERLAP_MS) };
      await act("secret_rotated", clientId, () => rows.rotateSecret(owner, clientId, rotation));
      return { client: await get(owner, clientId), secret };
    },
    endPreviousSecret: (owner, clientId) =>
      act("previous_secret_ended", clientId, () => rows.endPreviousSecret(owner, clientId)),
    remove: (owner, clientId) => act("deleted", clientId, () => rows.remove(owner, clientId)),
  };
}

function unknownClient(): Error {
  return loginRefusal("UNKNOWN_CLIENT", "You have no client with this id.");
}
