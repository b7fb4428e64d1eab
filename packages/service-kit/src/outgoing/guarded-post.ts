import { GUARDED_TIMEOUT_MS, lateError, toOutgoingError } from "./guarded-connector.ts";
import { findGuardedTarget, type ResolveHost } from "./guarded-target.ts";
import { type Connection, connectTo, createKeptConnections } from "./kept-connections.ts";
import type { OutgoingAllow } from "./outgoing-allow.ts";

/**
 * A request to a URL that comes from outside. Of the answer's body no more than `keepBytes` are read; `requester` is who named the URL,
 * and has a share of the lookups of names.
 */
export interface GuardedRequest {
  readonly requester: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly keepBytes: number;
}

/** Why the body of an answer is its beginning alone: more came than is kept, or its end did not come, in time or at all. */
export type BrokenOff = "too_large" | "unfinished";

/** The answer. */
export interface GuardedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
  readonly brokenOff: BrokenOff | undefined;
}

/** Posts to URLs that come from outside, over and over to the same ones; disposing of it ends the connections that are kept. */
export interface GuardedPost extends AsyncDisposable {
  readonly post: (request: GuardedRequest) => Promise<GuardedAnswer>;
}

/** What a client says of a connection that was closed by the other side, perhaps before it read the request. */
const CLOSED: ReadonlySet<unknown> = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

/** Ends an answer of which nothing more is kept; one for all, for those who pour out much would have many made. */
const ENOUGH = new Error("enough was read");

/**
 * Makes the way in which a service posts to URLs that somebody else named, many times to each.
 *
 * It is guarded as `createGuardedFetch` is: names are resolved and judged whenever a connection is made, which goes to the judged
 * addresses alone; no redirect is followed, no proxy known; a request ends after 5 s. A connection carries one request at a time
 * and is kept for the very same URL, 4 s while it is idle and 10 s in all, so that a name which moves is followed; 256 are kept
 * at most. Where a kept connection turns out to be closed, the request is sent again on a new one, so the receiver may see it twice.
 *
 * Refuses: OutgoingError, where no status came. Source: decision E6; RFC 9112 section 9.3.1.
 */
export function createGuardedPost(
  deps: { readonly resolveHost: ResolveHost },
  config: { readonly allow: OutgoingAllow },
): GuardedPost {
  const kept = createKeptConnections();
  async function send(request: GuardedRequest, deadline: Deadline): Promise<GuardedAnswer> {
    const old = kept.take(request.url);
    if (old !== undefined) {
      try {
        return await exchange(old, request, deadline);
      } catch (error) {
        if (!CLOSED.has((error as { readonly code?: unknown }).code)) throw error;
      } finally {
        kept.giveBack(old);
      }
    }
    const resolveHost = (hostname: string) => deps.resolveHost(hostname, request.requester);
    const target = await deadline.before(findGuardedTarget(request.url, { resolveHost }, config.allow));
    const connection = connectTo(request.url, target, kept.forget);
    try {
      return await exchange(connection, request, deadline);
    } finally {
      kept.giveBack(connection);
    }
  }
  return {
    post: async (request) => {
      const deadline = startDeadline(request.url);
      try {
        return await send(request, deadline);
      } catch (error) {
        throw toOutgoingError(error, request.url);
      } finally {
        deadline.end();
      }
    },
    [Symbol.asyncDispose]: () => kept.endAll(),
  };
}

/** Sends one request and reads its answer. Whatever ends it before its end ends the connection. */
function exchange(
  { client, path }: Connection,
  { headers, body, keepBytes }: GuardedRequest,
  deadline: Deadline,
): Promise<GuardedAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<GuardedAnswer>();
  const parts: Uint8Array[] = [];
  let missingBytes = keepBytes;
  let head: Pick<GuardedAnswer, "status" | "headers"> | undefined;
  const end = (error?: Error): void => {
    if (error !== undefined) void client.destroy(error);
    if (head === undefined) reject(error);
    else resolve({ ...head, body: Buffer.concat(parts), brokenOff: brokenOffBy(error) });
  };
  deadline.onOver(end);
  client.dispatch(
    { method: "POST", path, headers, body },
    {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, status, received) => {
        if (status >= 200) head = { status, headers: received };
      },
      onResponseData: (_controller, chunk) => {
        parts.push(chunk.subarray(0, missingBytes));
        missingBytes -= chunk.length;
        if (missingBytes <= 0) end(ENOUGH);
      },
      onResponseEnd: () => end(),
      onResponseError: (_controller, error) => end(error),
    },
  );
  return promise;
}

function brokenOffBy(error: Error | undefined): BrokenOff | undefined {
  if (error === undefined) return undefined;
  return error === ENOUGH ? "too_large" : "unfinished";
}

/** The time that a request has, names, connections and bodies together. */
interface Deadline {
  /** Calls this, instead of what was named before, when the time is over. */
  readonly onOver: (act: (error: Error) => void) => void;
  readonly before: <T>(work: Promise<T>) => Promise<T>;
  readonly end: () => void;
}

function startDeadline(url: string): Deadline {
  let act: (error: Error) => void = () => undefined;
  const timer = setTimeout(() => {
    act(lateError(url));
  }, GUARDED_TIMEOUT_MS);
  return {
    onOver: (next) => {
      act = next;
    },
    before: (work) =>
      new Promise((resolve, reject) => {
        act = reject;
        work.then(resolve, reject);
      }),
    end: () => clearTimeout(timer),
  };
}
