import type { Certificates } from "../keys/key-binding-certificates.ts";
import { type AddressedDeps, addressedVault } from "./addressed-request.ts";
import type { FastifyInstance } from "fastify";

/**
 * GET and HEAD /whois: the vault's owner and the owner's certified keys. Public; a bearer token is ignored.
 *
 * Out: `{dsid, vaultId, keyBindingCertificates}` and nothing else. Refuses: MISSING_ENAME (400), UNKNOWN_ENAME (404).
 * Source: S1 "GET /whois", "HEAD /whois"; decision V16.
 */
export function mountWhois(
  app: FastifyInstance,
  deps: Pick<AddressedDeps, "findVault"> & { readonly certificates: Certificates },
): void {
  app.get("/whois", { exposeHeadRoute: false }, async (request) => {
    const { owner, vaultId } = await addressedVault(deps, request);
    return { dsid: owner, vaultId, keyBindingCertificates: await deps.certificates.listFor(owner) };
  });
  app.head("/whois", async (request, reply) => {
    await addressedVault(deps, request);
    return reply.type("application/json; charset=utf-8").send();
  });
}
