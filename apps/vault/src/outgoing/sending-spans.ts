import type { Span, Tracer } from "@dataspace/service-kit/tracing/tracer";
import type { WaitingEvent } from "../store/outbox-rows.ts";
import type { HandOverOutcome } from "./hand-over.ts";

/** The spans of the events of one request: each belongs to the trace of the mutation that made the event. */
export interface SendingSpans {
  /** The `traceparent` to send beside an event; undefined where its mutation was not traced. */
  readonly traceparentOf: (event: WaitingEvent) => string | undefined;
  /** Ends the spans of the events that were sent. */
  readonly end: (sent: readonly WaitingEvent[], outcome: HandOverOutcome) => void;
}

/** Makes the spans of one request to the awareness service; without a tracer only the events' own `traceparent` is sent on. */
export function createSendingSpans(tracer: Tracer | undefined): SendingSpans {
  const spans = new Map<string, Span>();
  return {
    traceparentOf: ({ eventId, traceparent }) => {
      if (traceparent === null) return undefined;
      if (tracer === undefined) return traceparent;
      const attributes = { "messaging.message.id": eventId };
      const span = tracer.startSpan("send event", { kind: "producer", parent: traceparent, attributes });
      spans.set(eventId, span);
      return span.traceparent;
    },
    end: (sent, outcome) => {
      for (const { eventId } of sent) {
        const failed = outcome.kind !== "answered" || outcome.statuses.get(eventId) === "rejected";
        spans.get(eventId)?.end({ failed });
      }
    },
  };
}
