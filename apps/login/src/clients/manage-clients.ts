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

/** Makes the acts. In: `onAct` is called after each change. Refuses: as each act. Source: S2 "Client", "Limits"; T-77. */
export function createManageClients(
  {
    clock,
    rows,
    onAct,
  }: { readonly clock: Clock; readonly rows: ClientRows; readonly onAct: (act: ClientAct) => void },
  { clientsPerHour }: { readonly clientsPerHour: number },
): ManageClients {
  const isoIn = (ms: number): string => new Date(clock.nowMs() + ms).toISOString();
  const get = async (owner: EName, clientId: string): Promise<LoginClient> => {
    const client = await rows.find(clientId);
    if (client?.owner !== owner) throw unknownClient();
    return client;
  };
  const done = (act: ClientAct["act"], clientId: string, isFound: boolean): void => {
    if (!isFound) throw unknownClient();
    onAct({ act, clientId });
  };
  return {
    list: rows.listOf,
    get,
    create: async (owner, input, logo) => {
      const { secret, secretHash } = makeClientSecret();
      const clientId = makeClientId();
      const limit = { perHour: clientsPerHour, at: isoIn(0) };
      if (!(await rows.add({ ...input, clientId, owner, secretHash, logo }, limit))) {
        throw loginRefusal("RATE_LIMITED", `You may create ${clientsPerHour} clients an hour. Try again later.`);
      }
      done("created", clientId, true);
      return { client: await get(owner, clientId), secret };
    },
    change: async (owner, clientId, change) => {
      done("changed", clientId, await rows.change(owner, clientId, change));
      return get(owner, clientId);
    },
    rotateSecret: async (owner, clientId) => {
      const { secret, secretHash } = makeClientSecret();
      const rotation = { secretHash, previousEndsAt: isoIn(OVERLAP_MS) };
      done("secret_rotated", clientId, await rows.rotateSecret(owner, clientId, rotation));
      return { client: await get(owner, clientId), secret };
    },
    endPreviousSecret: async (owner, clientId) =>
      done("previous_secret_ended", clientId, await rows.endPreviousSecret(owner, clientId)),
    remove: async (owner, clientId) => done("deleted", clientId, await rows.remove(owner, clientId)),
  };
}

function unknownClient(): Error {
  return loginRefusal("UNKNOWN_CLIENT", "You have no client with this id.");
}
