/** What a span may say. The list is closed: no text of a request, no owner and no payload can become an attribute. */
export interface SpanAttributes {
  readonly "http.request.method"?: string;
  /** The pattern of the route, never the requested path. */
  readonly "http.route"?: string;
  readonly "http.response.status_code"?: number;
  readonly "graphql.operation.type"?: string;
  /** The root fields, as the schema names them; a client's own name for its operation could be anything. */
  readonly "graphql.operation.name"?: string;
  /** The id of an event. */
  readonly "messaging.message.id"?: string;
  /** The number of the attempt, from 1. */
  readonly "dataspace.attempt"?: number;
  /** Why there was no answer: a code. */
  readonly "error.type"?: string;
}

/** How a span begins. `parent` is a `traceparent`; without one a new trace begins. */
export interface SpanStart {
  readonly kind?: "server" | "client" | "producer" | "consumer" | "internal";
  readonly parent?: string | null | undefined;
  readonly attributes?: SpanAttributes;
}

/** How a span ends. */
export interface SpanEnd {
  readonly failed?: boolean;
  readonly attributes?: SpanAttributes;
}

/** A piece of work in a trace, until it ends. */
export interface Span {
  /** Names this span as the cause of further work. */
  readonly traceparent: string;
  readonly startChild: (name: string, start?: Omit<SpanStart, "parent">) => Span;
  readonly end: (end?: SpanEnd) => void;
}

/** Where spans go, and the service they come from. It can be sent to a thread. */
export interface TracingConfig {
  /** The address of an OTLP/HTTP collector, without `/v1/traces`. */
  readonly endpoint: string;
  readonly service: string;
}

/** Starts spans, and exports those that ended until it is disposed of. */
export interface Tracer extends AsyncDisposable {
  readonly config: TracingConfig;
  readonly startSpan: (name: string, start: SpanStart) => Span;
}

/** Does work in a span, which ends with it; undefined: without one. Refuses: as the work. */
export async function inSpan<Result>(span: Span | undefined, work: () => Promise<Result>): Promise<Result> {
  if (span === undefined) return work();
  try {
    const result = await work();
    span.end();
    return result;
  } catch (error) {
    span.end({ failed: true });
    throw error;
  }
}
