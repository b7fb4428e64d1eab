import { addPublicKey } from "../keys/add-public-key.ts";
import {
  authorizeKeyAddition,
  authorizeKeyRemoval,
  type KeyChangeDeps,
  type KeyChangeRight,
} from "../keys/authorize-key-change.ts";
import { removePublicKey } from "../keys/remove-public-key.ts";
import { type AddressedDeps, addressedVault } from "./addressed-request.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** The right that authorises the key change; set before the body is read, and again after it. */
    keyChangeRight: KeyChangeRight | undefined;
  }
}

/**
 * PATCH /public-key stores a public key of the addressed owner; DELETE /public-key removes one.
 *
 * In: `{publicKey}`. Out: 200 `{success, message}`. Refuses: as `authorizeKeyAddition` and `authorizeKeyRemoval`, then as
 * `addPublicKey` and `removePublicKey`. Source: S1 "PATCH /public-key"; decisions I6, V2, V26.
 */
export function mountPublicKey(
  app: FastifyInstance,
  deps: Pick<AddressedDeps, "findVault"> & { readonly keyChange: KeyChangeDeps },
): void {
  app.decorateRequest("keyChangeRight", undefined);
  // Once on the headers, and again when the body has arrived, since the right may have ended in between.
  const authorizedBy = (authorize: typeof authorizeKeyAddition) => async (request: FastifyRequest) => {
    const { owner } = await addressedVault(deps, request);
    const { authorization } = request.headers;
    request.keyChangeRight = await authorize(deps.keyChange, { owner, authorization });
  };
  app.patch("/public-key", {
    onRequest: authorizedBy(authorizeKeyAddition),
    preHandler: authorizedBy(authorizeKeyAddition),
    handler: async (request) => {
      const { added } = await addPublicKey(deps.keyChange, request.keyChangeRight as KeyChangeRight, request.body);
      return { success: true, message: added ? "The public key is stored." : "This public key was already stored." };
    },
  });
  app.delete("/public-key", {
    onRequest: authorizedBy(authorizeKeyRemoval),
    preHandler: authorizedBy(authorizeKeyRemoval),
    handler: async (request) => {
      await removePublicKey(deps.keyChange, request.keyChangeRight as KeyChangeRight, request.body);
      return { success: true, message: "The public key is removed." };
    },
  });
}
