import type { Span, Tracer } from "@dataspace/service-kit/tracing/tracer";
import type { IngestedEvent, IngestResult } from "../events/ingested-event.ts";
import type { Ingest } from "./ingest.ts";

/**
 * Stores events as `ingest` does, each in a span of the trace that it came with; the deliveries then follow from that
 * span. Without a tracer the events keep the `traceparent` that they came with.
 *
 * Refuses: as `ingest`. Source: decision P7.
 */
export async function ingestTraced(
  tracer: Tracer | undefined,
  ingest: Ingest,
  events: readonly IngestedEvent[],
): Promise<readonly IngestResult[]> {
  if (tracer === undefined) return ingest(events);
  const traced = events.map((event) => startSpan(tracer, event));
  try {
    const results = await ingest(traced.map(({ event }) => event));
    for (const { span } of traced) span?.end();
    return results;
  } catch (error) {
    for (const { span } of traced) span?.end({ failed: true });
    throw error;
  }
}

function startSpan(
  tracer: Tracer,
  event: IngestedEvent,
): { readonly event: IngestedEvent; readonly span: Span | undefined } {
  const { eventId, traceparent: parent } = event;
  if (parent === undefined) return { event, span: undefined };
  const attributes = { "messaging.message.id": eventId };
  const span = tracer.startSpan("ingest event", { kind: "consumer", parent, attributes });
  return { event: { ...event, traceparent: span.traceparent }, span };
}
