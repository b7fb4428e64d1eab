import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A span as a collector receives it; ids are hexadecimal, `parentSpanId` is absent at the root of a trace. */
export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status?: { readonly code?: number };
}

/** A collector of traces (OTLP over HTTP, JSON) that stores what it receives. */
export interface TestCollector extends AsyncDisposable {
  readonly url: string;
  readonly spans: () => readonly ReceivedSpan[];
  /** The requests' bodies, as they came. */
  readonly text: () => string;
  /** Resolves once a span matches. */
  readonly until: (matches: (span: ReceivedSpan) => boolean) => Promise<ReceivedSpan>;
  /** From now on it accepts requests and does not answer; then it answers again. */
  readonly hang: () => void;
  readonly answer: () => void;
}

interface TracesRequest {
  readonly resourceSpans: readonly {
    readonly resource: {
      readonly attributes: readonly { readonly key: string; readonly value: { stringValue: string } }[];
    };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<ReceivedSpan, "service">[] }[];
  }[];
}

/** Starts a collector on a free port of this machine. */
export async function startTestCollector(): Promise<TestCollector> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const waiting = new Set<() => void>();
  let isHanging = false;
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await request.toArray()).toString();
    if (isHanging) return;
    bodies.push(body);
    spans.push(...readSpans(JSON.parse(body) as TracesRequest));
    for (const look of waiting) look();
    response.setHeader("content-type", "application/json").end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => spans,
    text: () => bodies.join("\n"),
    until: (matches) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = spans.find(matches);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    hang: () => {
      isHanging = true;
    },
    answer: () => {
      isHanging = false;
      server.closeAllConnections();
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function readSpans({ resourceSpans }: TracesRequest): readonly ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = resource.attributes.find(({ key }) => key === "service.name")?.value.stringValue ?? "";
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ service, ...span })));
  });
}
