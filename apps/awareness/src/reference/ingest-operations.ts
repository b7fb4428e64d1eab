import { z } from "zod";
import type { IngestResult } from "../events/ingested-event.ts";
import { erasureBody } from "../events/read-erasure.ts";
import { ingestBody, sentEvent, webhookBody } from "../events/read-events.ts";
import { EXAMPLE_EVENT } from "./examples.ts";
import type { AwarenessGroup } from "./operation.ts";

const ingestResult: z.ZodType<IngestResult> = z.union([
  z.strictObject({
    eventId: z.guid(),
    status: z
      .enum(["accepted", "duplicate", "conflict"])
      .describe("`duplicate`: it, or a newer version, was there before. `conflict`: its id was, with another text."),
  }),
  z.strictObject({
    eventId: z.guid(),
    status: z.literal("rejected").describe("It is not stored. Keep it and send it again later."),
    code: z
      .enum(["NOT_YOUR_OWNER", "REGISTRY_UNAVAILABLE", "VERSION_GAP"])
      .describe(
        "`NOT_YOUR_OWNER`: the registry has the owner's vault at another address. `REGISTRY_UNAVAILABLE`: the registry does not answer. `VERSION_GAP`: the version is more than 1,000 above the newest known one of its record, or above 1,000,000 for the first one.",
      ),
  }),
]);
const ingestAnswer = z.strictObject({
  results: z.array(ingestResult).describe("One for each event, in the order of their records' versions."),
});
const resultOf = (status: string) => ({ results: [{ eventId: EXAMPLE_EVENT["eventId"], status }] });

/** How vaults send events. Source: S1 "Events"; decisions E5, E8. */
export const ingestOperations: AwarenessGroup = {
  name: "Events in",
  says: "Vaults send the events of their records. An acknowledged event is stored, and will be delivered.",
  schemas: { Event: webhookBody, SentEvent: sentEvent, IngestResult: ingestResult },
  operations: [
    {
      id: "ingest",
      method: "post",
      route: "/ingest",
      summary: "Hand events over",
      says: "Takes one event, or a list of up to 100, in at most 4 MiB. Either all of a request can be read or nothing of it is stored; sending it again is safe.",
      caller: "vault",
      body: {
        schema: ingestBody,
        required: true,
        example: {
          body: JSON.stringify(EXAMPLE_EVENT),
          requestingPlatform: null,
          policy: { acl: ["*"], _acl: null, owner: null },
        },
      },
      answers: [
        { status: 200, says: "Every event is stored.", schema: ingestAnswer, example: resultOf("accepted") },
        {
          status: 409,
          says: "At least one event is in conflict; the others are stored all the same.",
          schema: ingestAnswer,
          example: resultOf("conflict"),
        },
      ],
      refuses: ["INVALID_EVENT"],
    },
    {
      id: "eraseEvents",
      method: "post",
      route: "/ingest/erasures",
      summary: "Erase events",
      says: "Erases the data of an owner's stored events, and what receivers answered. Each event stays as a removal, so feeds, replays and dead letters keep their order. Sending it again is safe.",
      caller: "vault",
      body: {
        schema: erasureBody,
        required: true,
        example: { dsid: EXAMPLE_EVENT["dsid"], id: null, before: "2026-11-23T09:00:00.000Z" },
      },
      answers: [
        {
          status: 200,
          says: "They are erased.",
          schema: z.strictObject({ erased: z.int().min(0).describe("How many events had data.") }),
          example: { erased: 3 },
        },
      ],
      refuses: ["NOT_YOUR_OWNER", "REGISTRY_UNAVAILABLE"],
    },
  ],
};
