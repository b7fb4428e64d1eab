import { type Context, type Span as OtelSpan, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";
import { formatTraceparent, parseTraceparent } from "./traceparent.ts";
import type { Span, SpanEnd, SpanStart, Tracer, TracingConfig } from "./tracer.ts";

/** The part of a log that the export writes to. */
export interface TracingLog {
  readonly warn: (entry: object, message: string) => void;
}

/** Spans that wait for the collector; further ones are dropped. A span takes about 2 KB. */
const MOST_WAITING = 2_048;
const EXPORT_EVERY_MS = 1_000;
/** The time limit of one export, with its repeats. */
const EXPORT_MS = 5_000;
/** How long a stop waits for the last export. */
const LAST_EXPORT_MS = 2_000;
const MAX_VALUE_CHARACTERS = 256;
const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/**
 * Opens a tracer that exports spans to an OTLP/HTTP collector as JSON, in batches, beside the service's work. Nothing
 * waits for the collector: while it does not answer, spans are dropped.
 *
 * Import this file only where tracing is on: its libraries take 3 MB of memory. The exporter reads the headers and the compression of
 * `OTEL_EXPORTER_OTLP_*` itself. Refuses: never. Source: decision P7; W3C Trace Context; OTLP 1.7.
 */
export function openTracer(config: TracingConfig, log: TracingLog): Tracer {
  const url = `${config.endpoint.replace(/\/$/, "")}/v1/traces`;
  const exporter = reportFailures(new OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS }), log);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": config.service }),
    spanLimits: { attributeValueLengthLimit: MAX_VALUE_CHARACTERS },
    spanProcessors: [
      new BatchSpanProcessor({ exporter, maxQueueSize: MOST_WAITING, scheduledDelayMillis: EXPORT_EVERY_MS }),
    ],
  });
  const tracer = provider.getTracer("dataspace");
  const startIn = (context: Context, name: string, { kind = "internal", attributes }: SpanStart): Span => {
    const span = tracer.startSpan(name, { kind: KINDS[kind], attributes: { ...attributes } }, context);
    return {
      traceparent: traceparentOf(span),
      startChild: (childName, start = {}) => startIn(trace.setSpan(ROOT_CONTEXT, span), childName, start),
      end: (end = {}) => endSpan(span, end),
    };
  };
  return {
    config,
    startSpan: (name, start) => startIn(contextOf(start.parent), name, start),
    [Symbol.asyncDispose]: () => endWithin(provider.shutdown(), LAST_EXPORT_MS),
  };
}

function contextOf(parent: SpanStart["parent"]): Context {
  const found = parseTraceparent(parent);
  if (found === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, sampled } = found;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number(sampled), isRemote: true });
}

function traceparentOf(span: OtelSpan): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return formatTraceparent({ traceId, spanId, sampled: (traceFlags & 1) === 1 });
}

function endSpan(span: OtelSpan, { failed = false, attributes }: SpanEnd): void {
  if (attributes !== undefined) span.setAttributes({ ...attributes });
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Logs the first failed export, and the first that succeeds again. */
function reportFailures(exporter: OTLPTraceExporter, log: TracingLog): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const fails = result.error !== undefined;
        if (fails && !isFailing) {
          log.warn(
            { code: codeOf(result.error) },
            "spans cannot be exported; they are dropped until the collector answers",
          );
        }
        if (!fails && isFailing) log.warn({}, "spans are exported again");
        isFailing = fails;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

// Its message may hold the collector's answer.
function codeOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return String(code ?? name);
}

async function endWithin(work: Promise<unknown>, limitMs: number): Promise<void> {
  const { promise: timeUp, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, limitMs);
  await Promise.race([work.catch(() => undefined), timeUp]);
  clearTimeout(timer);
}
