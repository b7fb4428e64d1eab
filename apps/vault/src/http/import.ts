import { z } from "zod";
import { toManifest } from "../archive/archive-rows.ts";
import {
  activateReceived,
  beginFinishing,
  beginReceiving,
  discardReceived,
  finishReceiving,
  type ReceiveDeps,
  readReceived,
  receiveEntries,
} from "../leaving/receive-vault.ts";
import { type ExitTurns, endOf } from "./exit-turns.ts";
import { forOwnerAlone, type OwnerRequestDeps, ownerOf } from "./owner-request.ts";
import { readBody } from "./read-body.ts";
import type { FastifyInstance } from "fastify";

/** The dependencies of the endpoints of an import; `announce` wakes the dispatcher. */
export interface ImportDoorDeps extends OwnerRequestDeps {
  readonly receiving: ReceiveDeps;
  readonly announce: () => void;
  readonly turns: ExitTurns;
}

const BATCH_BYTES = 16 * 1_048_576;
const MOST_LINES = 1_000;

const importBody = z.strictObject({ header: z.string().max(4_096), code: z.string().max(128).optional() });
const entriesBody = z.strictObject({
  from: z.int().min(0),
  entries: z.array(z.string().max(BATCH_BYTES)).min(1).max(MOST_LINES),
});
const finishBody = z.strictObject({
  manifest: z.unknown().transform((value, context) => {
    const manifest = toManifest(value);
    if (manifest !== undefined) return manifest;
    context.addIssue("is not the manifest of an archive");
    return z.NEVER;
  }),
});

/**
 * The endpoints of receiving a vault, for the owner alone: `GET`, `POST` and `DELETE /import`, `POST /import/entries`,
 * `/import/finish` and `/import/activate`.
 *
 * Each writing request spends its wallet token; entries and the comparison spend it before their work. Refuses: as
 * `forOwnerAlone` and the steps do; BAD_USER_INPUT (400), BUSY (503). Source: decision V18.
 */
export function mountImport(app: FastifyInstance, deps: ImportDoorDeps): void {
  forOwnerAlone(app, deps, (owned) => {
    addSteps(owned, deps);
    addFinish(owned, deps);
  });
}

function addSteps(app: FastifyInstance, { receiving, announce, turns }: ImportDoorDeps): void {
  app.get("/import", async (request) => readReceived(receiving, ownerOf(request).owner));
  app.post("/import", async (request) => {
    const { header, code } = readBody(importBody, request.body);
    return beginReceiving(receiving, ownerOf(request), { headerText: header, code });
  });
  app.post("/import/entries", {
    onRequest: async (request) => {
      request.maxBodyBytes = BATCH_BYTES;
    },
    handler: async (request) => {
      const { from, entries } = readBody(entriesBody, request.body);
      const step = ownerOf(request);
      await turns.importing(request, step.owner);
      return { position: await receiveEntries(receiving, step, { from, lines: entries }) };
    },
  });
  app.post("/import/activate", async (request) => {
    const received = await activateReceived(receiving, ownerOf(request));
    announce();
    return received;
  });
  app.delete("/import", async (request) => {
    const step = ownerOf(request);
    await turns.importing(request, step.owner);
    await discardReceived(receiving, step);
    return { success: true };
  });
}

function addFinish(app: FastifyInstance, { receiving, turns }: ImportDoorDeps): void {
  app.post("/import/finish", async (request) => {
    const { manifest } = readBody(finishBody, request.body);
    const step = ownerOf(request);
    const begun = await beginFinishing(receiving, step);
    if (!("header" in begun)) return begun;
    await turns.wholeVault(request, step.owner);
    return finishReceiving(receiving, step.owner, { begun, manifest, signal: endOf(request) });
  });
}
