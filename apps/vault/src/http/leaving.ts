import { textToBaseAddress } from "@dataspace/protocol/base-address";
import { z } from "zod";
import type { EName } from "@dataspace/protocol/ename";
import { refusal } from "../errors.ts";
import { type EraseDeps, erasePart } from "../leaving/erase-vault.ts";
import {
  beginMove,
  cancelMove,
  finishMove,
  type MoveDeps,
  readStanding,
  type Standing,
} from "../leaving/move-vault.ts";
import { forOwnerAlone, type OwnerRequestDeps, ownerOf } from "./owner-request.ts";
import { readBody } from "./read-body.ts";
import type { FastifyInstance } from "fastify";

/** What a request has erased, the whole vault where `id` is empty; `isComplete` once nothing of it is left. */
export interface ErasedNow {
  readonly owner: EName;
  readonly id: string;
  readonly isComplete: boolean;
}

/** The dependencies of the endpoints; `onErased` is called after each part of an erasure. */
export interface LeavingDoorDeps extends OwnerRequestDeps {
  readonly erasing: EraseDeps;
  readonly moving: MoveDeps;
  readonly onErased: (erased: ErasedNow) => void;
}

const address = z.string().transform((text, context) => {
  const base = textToBaseAddress(text);
  if (base !== undefined) return base;
  context.addIssue("must be an http or https address without user, query and fragment");
  return z.NEVER;
});
const recordId = z.string().regex(/^[A-Za-z0-9._:@-]{0,128}$/);
const moveBody = z.strictObject({ to: address });
const eraseBody = z.strictObject({
  confirm: z.string().max(64),
  id: recordId.min(1).optional(),
  after: recordId.optional(),
});
/**
 * The endpoints of moving and erasing, for the owner alone: `GET`, `POST` and `DELETE /move`, `POST /move/finish`,
 * and `POST /erase`.
 *
 * Each writing request spends its wallet token. Refuses: as `forOwnerAlone` and the steps do; BAD_USER_INPUT (400).
 * Source: decision V18.
 */
export function mountLeaving(app: FastifyInstance, deps: LeavingDoorDeps): void {
  forOwnerAlone(app, deps, (owned) => {
    addMove(owned, deps);
    addErase(owned, deps);
  });
}

function addMove(app: FastifyInstance, { moving, place }: LeavingDoorDeps): void {
  app.get("/move", async (request) => toAnswer(await readStanding(moving.database, ownerOf(request).owner)));
  app.post("/move", async (request) => {
    const { to } = readBody(moveBody, request.body);
    if (to === place()) throw refusal("BAD_USER_INPUT", "The vault is at this address already.", "to");
    return toAnswer(await beginMove(moving, ownerOf(request), to));
  });
  app.post("/move/finish", async (request) => toAnswer(await finishMove(moving, ownerOf(request))));
  app.delete("/move", async (request) => toAnswer(await cancelMove(moving, ownerOf(request))));
}

function addErase(app: FastifyInstance, { erasing, onErased }: LeavingDoorDeps): void {
  app.post("/erase", async (request) => {
    const { confirm, id, after } = readBody(eraseBody, request.body);
    const { owner, within } = ownerOf(request);
    if (confirm !== owner) {
      throw refusal("BAD_USER_INPUT", `Erasing cannot be undone. Send confirm with the value ${owner}.`, "confirm");
    }
    const part = await erasePart(erasing, { owner, id, after, by: owner, within });
    if (part === undefined)
      throw refusal("NOT_FOUND", id === undefined ? `${owner} has no vault here.` : `There is no record ${id}.`, "id");
    onErased({ owner, id: id ?? "", isComplete: part.next === null });
    return part;
  });
}

function toAnswer({ state, movedTo, moveId }: Standing): object {
  return { state, to: movedTo, moveId };
}
