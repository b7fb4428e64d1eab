import { PassThrough } from "node:stream";
import { refusal } from "../errors.ts";
import { type ExportVaultDeps, exportVault } from "../leaving/export-vault.ts";
import { readStanding } from "../leaving/move-vault.ts";
import type { ExitTurns } from "./exit-turns.ts";
import { forOwnerAlone, type OwnerRequestDeps, ownerOf } from "./owner-request.ts";
import type { FastifyInstance } from "fastify";

/** The dependencies of the export endpoint. */
export interface ExportDoorDeps extends OwnerRequestDeps {
  readonly exporting: ExportVaultDeps;
  readonly turns: Pick<ExitTurns, "wholeVault">;
}

/**
 * GET /export: the owner's vault as one archive, also of a vault that moves or has moved.
 *
 * Out: 200 with gzip, streamed; an archive without a manifest is one that was cut off. Refuses: as `forOwnerAlone`;
 * UNKNOWN_ENAME (404), BUSY (503). Source: decision V18.
 */
export function mountExport(app: FastifyInstance, deps: ExportDoorDeps): void {
  forOwnerAlone(app, deps, (owned) => {
    owned.get("/export", async (request, reply) => {
      const { owner } = ownerOf(request);
      const { state } = await readStanding(deps.exporting.database, owner);
      if (state === "importing") throw refusal("UNKNOWN_ENAME", `${owner} has no complete vault here.`, "X-ENAME");
      await deps.turns.wholeVault(request, owner);
      const archive = new PassThrough();
      request.whenAnswered(() => archive.destroy());
      // A stream that is destroyed does not call back for what it holds; the transaction must end all the same.
      const left = Promise.withResolvers<never>();
      left.promise.catch(() => undefined);
      archive.once("close", () => left.reject(new Error("the reader has left")));
      const write = (part: Buffer) =>
        Promise.race([
          left.promise,
          new Promise<void>((resolve, reject) => archive.write(part, (error) => (error ? reject(error) : resolve()))),
        ]);
      void exportVault(deps.exporting, owner, write).then(
        () => archive.end(),
        (error: Error) => archive.destroy(error),
      );
      const name = `vault-${owner.slice(1)}.dsv.gz`;
      reply.header("content-disposition", `attachment; filename="${name}"`).header("cache-control", "no-store");
      return reply.type("application/gzip").send(archive);
    });
  });
}
