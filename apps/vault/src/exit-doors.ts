import { textToBaseAddress } from "@dataspace/protocol/base-address";
import { sweepWhileServing } from "@dataspace/service-kit/run/sweep-while-serving";
import type { RegistryClient } from "@dataspace/clients/registry-client";
import type { EName } from "@dataspace/protocol/ename";
import type { ServiceBase } from "@dataspace/service-kit/run/service-base";
import { refusal } from "./errors.ts";
import type { BlobStore } from "./files/blob-store.ts";
import { createExitTurns } from "./http/exit-turns.ts";
import { mountExport } from "./http/export.ts";
import { mountImport } from "./http/import.ts";
import { type ErasedNow, mountLeaving } from "./http/leaving.ts";
import type { OwnerRequestDeps } from "./http/owner-request.ts";
import { sweepImportCodes } from "./leaving/import-codes.ts";
import type { ReceiveDeps } from "./leaving/receive-vault.ts";
import { createReportErasures, type ReportErasure, reportAtOnce } from "./leaving/report-erasures.ts";
import { createSettleMoves } from "./leaving/settle-moves.ts";
import type { FastifyInstance } from "fastify";

/** Informs the awareness service: `announce` that events wait, `reportErasure` of what was erased. */
export interface ExitEvents {
  readonly announce: () => void;
  readonly reportErasure: ReportErasure | undefined;
}

/** The dependencies of the doors through which an owner leaves, arrives and erases. */
export interface ExitDeps {
  readonly base: Pick<ServiceBase, "database" | "clock" | "log">;
  readonly blobs: BlobStore;
  readonly owners: Omit<OwnerRequestDeps, "place">;
  readonly newUuid: () => string;
  readonly events: ExitEvents;
  /** Asks the registry itself, without a cache. */
  readonly resolve: RegistryClient["resolve"];
}

/** Whether a vault from elsewhere needs a code, the quotas of an owner, and this vault's own address. */
export interface ExitConfig {
  readonly auth: "enforced" | "header";
  readonly limits: { readonly recordsPerOwner: number; readonly bytesPerOwner: number };
  readonly publicUrl: () => string;
}

/** Mounts `/export`, `/move`, `/import` and `/erase`, and what they leave to be done later. Source: decision V18. */
export function mountExitDoors(app: FastifyInstance, deps: ExitDeps, config: ExitConfig): void {
  const { base, blobs, newUuid } = deps;
  const { announce, reportErasure } = deps.events;
  const { auth, limits, publicUrl } = config;
  const bounds = { needsCode: auth === "enforced", records: limits.recordsPerOwner, bytes: limits.bytesPerOwner };
  // As the registry writes it, so that the two can be compared.
  const place = () => textToBaseAddress(publicUrl()) ?? publicUrl();
  const owners = { ...deps.owners, place };
  const receiving = { ...base, blobs, findAddress: createFindAddress(deps), place, bounds };
  const turns = createExitTurns();
  mountExport(app, { ...owners, turns, exporting: { ...base, blobs } });
  mountImport(app, { ...owners, turns, receiving, announce });
  const onErased = ({ isComplete, ...erased }: ErasedNow): void => {
    announce();
    if (isComplete) void reportAtOnce(base, reportErasure, erased);
  };
  mountLeaving(app, { ...owners, erasing: { ...base, blobs, newUuid }, moving: receiving, onErased });
  sweepWhileServing(app, base.log, [
    { what: "moves that the registry knows of", sweep: createSettleMoves(receiving) },
    { what: "erasures that the awareness service has confirmed", sweep: createReportErasures(base, reportErasure) },
    { what: "import codes that have expired", sweep: () => sweepImportCodes(base) },
  ]);
}

function createFindAddress({ resolve, base }: ExitDeps): ReceiveDeps["findAddress"] {
  return async (ename: EName) => {
    try {
      return (await resolve(ename))?.uri;
    } catch (error) {
      base.log.warn({ err: error, ename }, "the registry does not say where a vault is");
      throw refusal("REGISTRY_UNAVAILABLE", "The registry does not answer, so this step is not taken; try again.");
    }
  };
}
