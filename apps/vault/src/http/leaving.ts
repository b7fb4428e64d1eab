import { z } from "zod";
import type { ArchiveManifest } from "../archive/archive-format.ts";
import { refusal } from "../errors.ts";
import { type EraseDeps, erasePart } from "../leaving/erase-vault.ts";
import { beginMove, cancelMove, finishMove, readStanding, type Standing } from "../leaving/move-vault.ts";
import {
  activateReceived,
  beginReceiving,
  discardReceived,
  finishReceiving,
  type ReceiveDeps,
  readReceived,
  receiveEntries,
} from "../leaving/receive-vault.ts";
import { forOwnerAlone, type OwnerRequestDeps, ownerOf } from "./owner-request.ts";
import type { FastifyInstance } from "fastify";

/** The dependencies of the endpoints; `announce` wakes the dispatcher, `reportErasures` tells the awareness service. */
export interface LeavingDoorDeps extends OwnerRequestDeps {
  readonly erasing: EraseDeps;
  readonly receiving: ReceiveDeps;
  readonly announce: () => void;
  readonly reportErasures: () => void;
}

const BATCH_BYTES = 16 * 1_048_576;
const MOST_LINES = 1_000;

const address = z
  .string()
  .max(2_048)
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""), "must be an http or https address")
  .transform((text) => text.replace(/\/{1,16}$/, ""));
const moveBody = z.strictObject({ to: address });
const eraseBody = z.strictObject({
  confirm: z.string().max(64),
  id: z.string().min(1).max(128).optional(),
  after: z.string().max(128).optional(),
});
const importBody = z.strictObject({ header: z.string().max(4_096), code: z.string().max(128).optional() });
const entriesBody = z.strictObject({
  from: z.int().min(0),
  entries: z.array(z.string().max(BATCH_BYTES)).min(1).max(MOST_LINES),
});
const finishBody = z.strictObject({ manifest: z.looseObject({ kinds: z.looseObject({}) }) });

/**
 * The endpoints of moving and erasing, for the owner alone: `GET`, `POST` and `DELETE /move`, `POST /move/finish`,
 * `GET`, `POST` and `DELETE /import`, `POST /import/entries`, `/import/finish`, `/import/activate`, and `POST /erase`.
 *
 * Each writing request spends its wallet token. Refuses: as `forOwnerAlone` and the steps do; BAD_USER_INPUT (400).
 * Source: decision V18.
 */
export function mountLeaving(app: FastifyInstance, deps: LeavingDoorDeps): void {
  forOwnerAlone(app, deps, (owned) => {
    addMove(owned, deps);
    addImport(owned, deps);
    addErase(owned, deps);
  });
}

function addMove(app: FastifyInstance, { receiving }: LeavingDoorDeps): void {
  app.get("/move", async (request) => toAnswer(await readStanding(receiving.database, ownerOf(request).owner)));
  app.post("/move", async (request) => {
    const { to } = read(moveBody, request.body);
    if (to === receiving.place()) throw refusal("BAD_USER_INPUT", "The vault is at this address already.", "to");
    return toAnswer(await beginMove(receiving, ownerOf(request), to));
  });
  app.post("/move/finish", async (request) => toAnswer(await finishMove(receiving, ownerOf(request))));
  app.delete("/move", async (request) => toAnswer(await cancelMove(receiving, ownerOf(request))));
}

function addImport(app: FastifyInstance, { receiving, announce }: LeavingDoorDeps): void {
  app.get("/import", async (request) => readReceived(receiving, ownerOf(request).owner));
  app.post("/import", async (request) => {
    const { header, code } = read(importBody, request.body);
    return beginReceiving(receiving, ownerOf(request), { headerText: header, code });
  });
  app.post("/import/entries", {
    onRequest: async (request) => {
      request.maxBodyBytes = BATCH_BYTES;
    },
    handler: async (request) => {
      const { from, entries } = read(entriesBody, request.body);
      return { position: await receiveEntries(receiving, ownerOf(request), { from, lines: entries }) };
    },
  });
  app.post("/import/finish", async (request) => {
    const { manifest } = read(finishBody, request.body);
    return finishReceiving(receiving, ownerOf(request), manifest as unknown as ArchiveManifest);
  });
  app.post("/import/activate", async (request) => {
    const received = await activateReceived(receiving, ownerOf(request));
    announce();
    return received;
  });
  app.delete("/import", async (request) => {
    await discardReceived(receiving, ownerOf(request));
    return { success: true };
  });
}

function addErase(app: FastifyInstance, { erasing, announce, reportErasures }: LeavingDoorDeps): void {
  app.post("/erase", async (request) => {
    const { confirm, id, after } = read(eraseBody, request.body);
    const { owner, within } = ownerOf(request);
    if (confirm !== owner) {
      throw refusal("BAD_USER_INPUT", `Erasing cannot be undone. Send confirm with the value ${owner}.`, "confirm");
    }
    const part = await erasePart(erasing, { owner, id, after, by: owner, within });
    if (part === undefined)
      throw refusal("NOT_FOUND", id === undefined ? `${owner} has no vault here.` : `There is no record ${id}.`, "id");
    announce();
    if (part.next === null) reportErasures();
    return part;
  });
}

function toAnswer({ state, movedTo, moveId }: Standing): object {
  return { state, to: movedTo, moveId };
}

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join(".") || "body";
  throw refusal("BAD_USER_INPUT", `${field}: ${issue?.message ?? "wrong"}. Check the body of the request.`, field);
}
