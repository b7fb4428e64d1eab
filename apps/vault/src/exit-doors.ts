import { sweepWhileServing } from "@dataspace/service-kit/run/sweep-while-serving";
import type { RegistryClient } from "@dataspace/clients/registry-client";
import type { EName } from "@dataspace/protocol/ename";
import type { Log } from "@dataspace/service-kit/log";
import { refusal } from "./errors.ts";
import { mountExport } from "./http/export.ts";
import { type LeavingDoorDeps, mountLeaving } from "./http/leaving.ts";
import type { OwnerRequestDeps } from "./http/owner-request.ts";
import type { EraseDeps } from "./leaving/erase-vault.ts";
import type { ExportVaultDeps } from "./leaving/export-vault.ts";
import { type ReceiveDeps, sweepImportCodes } from "./leaving/receive-vault.ts";
import { type ReportErasure, reportErasures } from "./leaving/report-erasures.ts";
import { settleMoves } from "./leaving/settle-moves.ts";
import type { FastifyInstance } from "fastify";

/** The dependencies of the doors through which an owner leaves, arrives and erases. */
export interface ExitDeps extends OwnerRequestDeps, EraseDeps, Pick<ExportVaultDeps, "blobs"> {
  readonly blobs: ReceiveDeps["blobs"];
  readonly log: Log;
  readonly announce: LeavingDoorDeps["announce"];
  readonly registry: { readonly resolve: RegistryClient["resolve"] };
  readonly reportErasure?: ReportErasure | undefined;
}

/** Whether a vault from elsewhere needs a code, the quotas of an owner, and this vault's own address. */
export interface ExitConfig {
  readonly auth: "enforced" | "header";
  readonly limits: { readonly recordsPerOwner: number; readonly bytesPerOwner: number };
  readonly publicUrl: () => string;
}

/** Mounts `/export`, `/move`, `/import` and `/erase`, and what they leave to be done later. Source: decision V18. */
export function mountExitDoors(app: FastifyInstance, deps: ExitDeps, config: ExitConfig): void {
  const { log } = deps;
  const { auth, limits, publicUrl } = config;
  const bounds = { needsCode: auth === "enforced", records: limits.recordsPerOwner, bytes: limits.bytesPerOwner };
  const report = () => reportErasures(deps, deps.reportErasure);
  const receiving = { ...deps, findAddress: createFindAddress(deps), place: publicUrl, bounds };
  mountExport(app, { ...deps, exporting: deps });
  mountLeaving(app, {
    ...deps,
    erasing: deps,
    receiving,
    reportErasures: () =>
      void report().catch((error: unknown) => {
        log.warn({ err: error }, "the awareness service has not confirmed an erasure; it will be notified again");
      }),
  });
  sweepWhileServing(app, log, [
    { what: "moves that the registry knows of", sweep: () => settleMoves(receiving) },
    { what: "erasures that the awareness service has confirmed", sweep: report },
    { what: "import codes that have expired", sweep: () => sweepImportCodes(deps) },
  ]);
}

function createFindAddress({ registry, log }: ExitDeps): ReceiveDeps["findAddress"] {
  return async (ename: EName) => {
    try {
      return (await registry.resolve(ename))?.uri;
    } catch (error) {
      log.warn({ err: error, ename }, "the registry does not say where a vault is");
      throw refusal("REGISTRY_UNAVAILABLE", "The registry does not answer, so this step is not taken; try again.");
    }
  };
}
