import { addPublicKey } from "../keys/add-public-key.ts";
import { authorizeKeyChange, type KeyChangeDeps, type KeyChangeRight } from "../keys/authorize-key-change.ts";
import { type AddressedDeps, addressedVault } from "./addressed-request.ts";
import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** By what right keys change; set before the body is read. */
    keyChangeRight: KeyChangeRight | undefined;
  }
}

/**
 * PATCH /public-key: stores a public key of the addressed owner.
 *
 * In: `{publicKey}`. Out: 200 `{success, message}`. Refuses: as `authorizeKeyChange`, then as `addPublicKey`.
 * Source: S1 "PATCH /public-key"; decisions I6, V2.
 */
export function mountPublicKey(
  app: FastifyInstance,
  deps: Pick<AddressedDeps, "findVault"> & { readonly keyChange: KeyChangeDeps },
): void {
  app.decorateRequest("keyChangeRight", undefined);
  app.patch("/public-key", {
    onRequest: async (request) => {
      const { owner } = await addressedVault(deps, request);
      const { authorization } = request.headers;
      request.keyChangeRight = await authorizeKeyChange(deps.keyChange, { owner, authorization });
    },
    handler: async (request) => {
      const { added } = await addPublicKey(deps.keyChange, request.keyChangeRight as KeyChangeRight, request.body);
      return { success: true, message: added ? "The public key is stored." : "This public key was already stored." };
    },
  });
}
