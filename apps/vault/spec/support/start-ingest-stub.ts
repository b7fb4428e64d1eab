import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createSecret } from "@dataspace/service-kit/secret";
import type { AwarenessAddress } from "../../src/outgoing/hand-over.ts";

/** One event as it came in. */
export interface IngestedEvent {
  readonly eventId: string;
  readonly id: string;
  readonly dsid: string;
  readonly streamVersion: number;
  readonly operation: string;
}

/** One request as it came in. */
export interface IngestRequest {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly items: readonly { readonly body: string; readonly requestingPlatform: unknown; readonly policy: unknown }[];
  readonly events: readonly IngestedEvent[];
}

/** How a request is answered; undefined: as the awareness service does when all is well. */
export type IngestAnswer = (request: IngestRequest, response: ServerResponse) => void;

/** An awareness service that the test controls: it stores what it receives and answers as configured. */
export interface IngestStub extends AsyncDisposable {
  readonly address: AwarenessAddress;
  readonly requests: readonly IngestRequest[];
  /** The versions of each record in the order in which they were stored, repeats left out. */
  readonly stored: ReadonlyMap<string, readonly number[]>;
  answer: IngestAnswer | undefined;
}

/** The secret that the stub's vaults share with it. */
export const INGEST_SECRET = "the ingest secret of this test alone, 0123";

/** Starts a stub of the awareness service. */
export async function startIngestStub(): Promise<IngestStub> {
  const requests: IngestRequest[] = [];
  const stored = new Map<string, number[]>();
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    const items = JSON.parse(text);
    const events = items.map(({ body }: { body: string }) => JSON.parse(body));
    const request = { headers: { ...incoming.headers, url: incoming.url }, text, items, events };
    requests.push(request);
    if (stub.answer !== undefined) return stub.answer(request, response);
    answerResults(response, store(request));
  });
  function store({ events }: IngestRequest): readonly { eventId: string; status: string }[] {
    return events.map(({ eventId, id, streamVersion }) => {
      const versions = stored.get(id) ?? [];
      const known = versions.includes(streamVersion);
      if (!known) stored.set(id, [...versions, streamVersion]);
      return { eventId, status: known ? "duplicate" : "accepted" };
    });
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stub: IngestStub = {
    address: { url, secret: createSecret(INGEST_SECRET) },
    requests,
    stored,
    answer: undefined,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return stub;
}

/** Answers with results, as JSON. */
export function answerResults(response: ServerResponse, results: readonly object[], status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ results }));
}
