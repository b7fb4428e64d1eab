import { textToBaseAddress } from "@dataspace/protocol/base-address";
import { sweepWhileServing } from "@dataspace/service-kit/run/sweep-while-serving";
import type { RegistryClient } from "@dataspace/clients/registry-client";
import type { EName } from "@dataspace/protocol/ename";
import type { Log } from "@dataspace/service-kit/log";
import { refusal } from "./errors.ts";
import { createExitTurns } from "./http/exit-turns.ts";
import { mountExport } from "./http/export.ts";
import { mountImport } from "./http/import.ts";
import { type LeavingDoorDeps, mountLeaving } from "./http/leaving.ts";
import type { OwnerRequestDeps } from "./http/owner-request.ts";
import type { EraseDeps } from "./leaving/erase-vault.ts";
import type { ExportVaultDeps } from "./leaving/export-vault.ts";
import { sweepImportCodes } from "./leaving/import-codes.ts";
import type { ReceiveDeps } from "./leaving/receive-vault.ts";
import { createReportErasures, type ReportErasure, reportAtOnce } from "./leaving/report-erasures.ts";
import { createSettleMoves } from "./leaving/settle-moves.ts";
import type { FastifyInstance } from "fastify";

/** The dependencies of the doors through which an owner leaves, arrives and erases. */
export interface ExitDeps extends Omit<OwnerRequestDeps, "place">, EraseDeps, Pick<ExportVaultDeps, "blobs"> {
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
  // As the registry writes it, so that the two can be compared.
  const place = () => textToBaseAddress(publicUrl()) ?? publicUrl();
  const receiving = { ...deps, findAddress: createFindAddress(deps), place, bounds };
  const turns = createExitTurns();
  mountExport(app, { ...deps, place, turns, exporting: deps });
  mountImport(app, { ...deps, place, turns, receiving });
  mountLeaving(app, {
    ...deps,
    place,
    erasing: deps,
    moving: receiving,
    reportErasure: (erased) => void reportAtOnce(deps, deps.reportErasure, erased),
  });
  sweepWhileServing(app, log, [
    { what: "moves that the registry knows of", sweep: createSettleMoves(receiving) },
    {
      what: "erasures that the awareness service has confirmed",
      sweep: createReportErasures(deps, deps.reportErasure),
    },
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
