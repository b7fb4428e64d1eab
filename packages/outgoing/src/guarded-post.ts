import { GUARDED_TIMEOUT_MS, lateError, toOutgoingError } from "./guarded-connector.ts";
import { findGuardedTarget, type ResolveHost } from "./guarded-target.ts";
import type { OutgoingAllow } from "./outgoing-allow.ts";
import { type Connection, connectTo, createReusedConnections } from "./reused-connections.ts";

/**
 * A request to a URL that comes from outside. At most `keepBytes` of the answer's body are read. `requester` is who
 * named the URL; name lookups count against its share.
 */
export interface GuardedRequest {
  readonly requester: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly keepBytes: number;
}

/** Why only the beginning of a body was read: it was longer, or its end did not come, in time or at all. */
export type BrokenOff = "too_large" | "unfinished";

/** The answer. */
export interface GuardedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
  readonly brokenOff: BrokenOff | undefined;
}

/** Posts to URLs that come from outside, repeatedly to the same ones; disposing of it closes the open connections. */
export interface GuardedPost extends AsyncDisposable {
  readonly post: (request: GuardedRequest) => Promise<GuardedAnswer>;
}

/** The client's error codes for a connection that the other side closed, perhaps before it read the request. */
const CLOSED: ReadonlySet<unknown> = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

/** Ends the reading of an oversized answer. It is one shared object, because many answers may need it. */
const ENOUGH = new Error("enough was read");

/**
 * Makes the client for repeated posts to URLs that somebody else named.
 *
 * It is guarded like `createGuardedFetch`. Each new connection resolves the name and goes to the checked addresses
 * only; it follows no redirect and uses no proxy. A request ends after 5 s. A connection carries one request at a time
 * and is reused only for the same URL. It is closed after 4 s of idleness and after 10 s in all, so that a changed name
 * takes effect; at most 256 are idle. If a reused connection turns out to be closed, the request is sent again on a new
 * one, so the receiver may see it twice.
 *
 * Refuses: OutgoingError, where no status was received. Source: decision E6; RFC 9112 section 9.3.1.
 */
export function createGuardedPost(
  deps: { readonly resolveHost: ResolveHost },
  config: { readonly allow: OutgoingAllow },
): GuardedPost {
  const reused = createReusedConnections();
  async function send(request: GuardedRequest, deadline: Deadline): Promise<GuardedAnswer> {
    const old = reused.take(request.url);
    if (old !== undefined) {
      try {
        return await exchange(old, request, deadline);
      } catch (error) {
        if (!CLOSED.has((error as { readonly code?: unknown }).code)) throw error;
      } finally {
        reused.giveBack(old);
      }
    }
    const resolveHost = (hostname: string) => deps.resolveHost(hostname, request.requester);
    const target = await deadline.before(findGuardedTarget(request.url, { resolveHost }, config.allow));
    const connection = connectTo(request.url, target, reused.forget);
    try {
      return await exchange(connection, request, deadline);
    } finally {
      reused.giveBack(connection);
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
    [Symbol.asyncDispose]: () => reused.endAll(),
  };
}

/** Sends one request and reads its answer. A failure closes the connection. */
function exchange(
  { client, path }: Connection,
  { headers, body, keepBytes }: GuardedRequest,
  deadline: Deadline,
): Promise<GuardedAnswer> {
  return new Promise((resolve, reject) => {
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
  });
}

function brokenOffBy(error: Error | undefined): BrokenOff | undefined {
  if (error === undefined) return undefined;
  return error === ENOUGH ? "too_large" : "unfinished";
}

/** The time limit of a request: name lookup, connections and bodies together. */
interface Deadline {
  /** Calls this at the time limit, instead of the previously set function. */
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
