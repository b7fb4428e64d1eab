import { z } from "zod";
import type { Answer } from "@dataspace/api-reference/operation";
import { logQuery, type RedeliveryAnswer, redriveBody, replayBody } from "../delivery/deliveries.ts";
import type { DeadLetter, LoggedAttempt } from "../store/delivery-log.ts";
import type { ReplayJob } from "../store/replay-jobs.ts";
import { EXAMPLE_EVENT, EXAMPLE_HEADERS } from "./examples.ts";
import type { AwarenessGroup } from "./operation.ts";
import { subscriptionPath } from "./subscription-operations.ts";

const attempt: z.ZodType<LoggedAttempt> = z.strictObject({
  id: z.guid().describe("The request's `webhook-delivery-id`."),
  eventId: z.guid(),
  number: z.int().min(1).describe("The request's `webhook-attempt`."),
  startedAt: z.iso.datetime({ offset: true }),
  durationMs: z.number().min(0),
  status: z.int().nullable().describe("The endpoint's status; null when nothing answered."),
  error: z.string().nullable().describe("Why nothing answered, such as `timeout` or `unreachable`."),
  answer: z.string().nullable().describe("The first 1 KiB of what the endpoint said."),
});
const deadLetter: z.ZodType<DeadLetter> = z.strictObject({
  eventId: z.guid(),
  dsid: z.string().describe("The record's owner."),
  id: z.string().describe("The record."),
  schemaId: z.string().describe("The record's ontology."),
  streamVersion: z.int().min(1),
  reason: z.string().nullable().describe("What its last attempt met, such as `status_500` or `endpoint_unavailable`."),
  diedAt: z.iso.datetime({ offset: true }),
});
const putBack = {
  deliveries: z.int().min(0).describe("How many are sent again."),
  lanes: z.int().min(0).describe("Of how many records."),
  busyLanes: z.int().min(0).describe("Records that were being attempted the whole time: ask again for those."),
};
const replayJob: z.ZodType<ReplayJob> = z.strictObject({
  id: z.guid(),
  since: z.iso.datetime({ offset: true }).nullable().describe("Events received since then; null: all dead letters."),
  ...putBack,
  startedAt: z.iso.datetime({ offset: true }),
  finishedAt: z.iso.datetime({ offset: true }).nullable().describe("null: it is running."),
});
const redelivery: z.ZodType<RedeliveryAnswer> = z.strictObject({
  dryRun: z.boolean(),
  ...putBack,
  more: z.literal(true).optional().describe("A dry run counts some 100,000 deliveries or records; there may be more."),
  job: replayJob.optional().describe("The job that puts back the rest."),
});
const EXAMPLE_JOB: ReplayJob = {
  id: "0b0f3c1e-7c3f-4f6e-9f0e-2a5f3f1f7a10",
  since: "2026-11-22T09:00:00.000Z",
  deliveries: 740,
  lanes: 500,
  busyLanes: 0,
  startedAt: "2026-11-22T09:30:00.000Z",
  finishedAt: null,
};
const restFollows: Answer = {
  status: 202,
  says: "The first 500 records are done; a job puts back the rest.",
  schema: redelivery,
  example: { dryRun: false, deliveries: 740, lanes: 500, busyLanes: 0, job: EXAMPLE_JOB },
};
const next = z.guid().nullable().describe("The `after` of the next page; null at the end.");
const ROUTE = "/api/subscriptions/:id";

/** The results of deliveries, and redelivery. Source: decision E7. */
export const deliveryOperations: AwarenessGroup = {
  name: "Deliveries",
  says: "What was sent to a subscription, what was given up after 24 hours, and how either is sent once more.",
  schemas: { Attempt: attempt, DeadLetter: deadLetter, Redelivery: redelivery, ReplayJob: replayJob },
  operations: [
    {
      id: "listAttempts",
      method: "get",
      route: `${ROUTE}/attempts`,
      summary: "List attempts",
      says: "Every request that was made of the endpoint, the newest first.",
      caller: "consumer",
      path: subscriptionPath,
      query: logQuery,
      answers: [
        {
          status: 200,
          says: "A page of attempts.",
          schema: z.strictObject({ attempts: z.array(attempt), next }),
          example: {
            attempts: [
              {
                id: EXAMPLE_HEADERS["webhook-delivery-id"],
                eventId: EXAMPLE_EVENT["eventId"],
                number: 1,
                startedAt: "2026-11-22T09:30:01.120Z",
                durationMs: 41,
                status: 204,
                error: null,
                answer: "",
              },
            ],
            next: null,
          },
        },
      ],
      refuses: ["NOT_FOUND"],
    },
    {
      id: "listDeadLetters",
      method: "get",
      route: `${ROUTE}/dead-letters`,
      summary: "List dead letters",
      says: "Events that were given up, the latest first.",
      caller: "consumer",
      path: subscriptionPath,
      query: logQuery,
      answers: [
        {
          status: 200,
          says: "A page of dead letters.",
          schema: z.strictObject({ deadLetters: z.array(deadLetter), next }),
          example: {
            deadLetters: [
              {
                eventId: EXAMPLE_EVENT["eventId"],
                dsid: EXAMPLE_EVENT["dsid"],
                id: EXAMPLE_EVENT["id"],
                schemaId: EXAMPLE_EVENT["schemaId"],
                streamVersion: 1,
                reason: "status_500",
                diedAt: "2026-11-23T09:30:01.000Z",
              },
            ],
            next: null,
          },
        },
      ],
      refuses: ["NOT_FOUND", "STATUS_UNAVAILABLE"],
    },
    {
      id: "redrive",
      method: "post",
      route: `${ROUTE}/redrive`,
      summary: "Send dead letters again",
      says: "Each gets 24 hours of its own and goes, in order, before what is newer of its record.",
      caller: "consumer",
      path: subscriptionPath,
      body: { schema: redriveBody, required: false, example: {} },
      answers: [
        {
          status: 200,
          says: "What was put back on its way.",
          schema: redelivery,
          example: { dryRun: false, deliveries: 2, lanes: 1, busyLanes: 0 },
        },
        restFollows,
      ],
      refuses: ["NOT_FOUND", "REPLAY_RUNNING", "STATUS_UNAVAILABLE"],
    },
    {
      id: "replay",
      method: "post",
      route: `${ROUTE}/replay`,
      summary: "Send everything since a time again",
      says: "Whatever was delivered, skipped or given up of events received since then. Each gets 24 hours of its own and goes, in order, before what is newer of its record.",
      caller: "consumer",
      path: subscriptionPath,
      body: { schema: replayBody, required: true, example: { since: "2026-11-22T09:00:00Z", dryRun: true } },
      answers: [
        {
          status: 200,
          says: "What was put back on its way, or, `dryRun`, would be.",
          schema: redelivery,
          example: { dryRun: true, deliveries: 12, lanes: 7, busyLanes: 0 },
        },
        restFollows,
      ],
      refuses: ["NOT_FOUND", "REPLAY_RUNNING", "STATUS_UNAVAILABLE"],
    },
    {
      id: "findReplay",
      method: "get",
      route: `${ROUTE}/replay`,
      summary: "Read the last replay",
      says: "The last replay, or redrive of all dead letters, and how far it is.",
      caller: "consumer",
      path: subscriptionPath,
      answers: [{ status: 200, says: "The job.", schema: replayJob, example: EXAMPLE_JOB }],
      refuses: ["NOT_FOUND"],
    },
  ],
};
