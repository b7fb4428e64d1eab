import { limitAddresses } from "@dataspace/service-kit/http/rate-limits";
import { createInTurn } from "@dataspace/service-kit/postgres/in-turn";
import { provision } from "./provision.ts";
import type { ProvisionerConfig, ProvisionerDeps } from "./provisioner.ts";
import type { FastifyPluginCallback } from "fastify";

const HOUR_SECONDS = 3600;

/**
 * Makes the plugin that serves `POST /provision`, on the vault's server or on a separate one.
 *
 * Out: 200 `{success:true, dsid, uri}`; refusals are `{success:false, error:{code, message}}`, with `existingDsid` when
 * the entropy was spent.
 * Refuses: RATE_LIMITED, and what `provision` refuses. Source: S1 "HTTP endpoints" (POST /provision); decisions V2,
 * V17, V21.
 */
export function createProvisionerPlugin(deps: ProvisionerDeps, config: ProvisionerConfig): FastifyPluginCallback {
  const inTurn = createInTurn();
  return (app, _options, done) => {
    limitAddresses(app, { name: "provision", requests: config.provisionsPerAddress, windowSeconds: HOUR_SECONDS });
    app.addHook("preSerialization", async (_request, _reply, payload) => markFailure(payload));
    app.post("/provision", async (request) => ({
      success: true,
      ...(await provision({ ...deps, inTurn }, config, request.body)),
    }));
    done();
  };
}

// The server's error answer, in the format that wallets expect here.
function markFailure(payload: unknown): unknown {
  const { error } = payload as { readonly error?: Readonly<Record<string, string>> };
  if (error === undefined) return payload;
  const { existingDsid, ...rest } = error;
  return { success: false, error: rest, ...(existingDsid === undefined ? {} : { existingDsid }) };
}
