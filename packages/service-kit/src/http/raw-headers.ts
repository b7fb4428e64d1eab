import type { IncomingMessage } from "node:http";

const SINGLE_HEADERS: ReadonlySet<string> = new Set(["host", "x-ename", "authorization", "x-on-behalf-of"]);
const SINGLE_HEADER_LENGTHS: ReadonlySet<number> = new Set([...SINGLE_HEADERS].map((name) => name.length));

/**
 * Returns the name of a repeated header that decides who asks or whose data it is, if there is one.
 *
 * Node joins a repeated X-ENAME and silently uses the first of two Authorization headers. A proxy and this process
 * could then see two different callers in one request. Only the raw list shows the repetition.
 *
 * Out: the lower-case name, or undefined. Refuses: never.
 * Source: decision I1.
 */
export function findRepeatedHeader(request: IncomingMessage): string | undefined {
  const { rawHeaders } = request;
  let seen: Set<string> | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] as string;
    if (!SINGLE_HEADER_LENGTHS.has(sent.length)) continue;
    const name = sent.toLowerCase();
    if (!SINGLE_HEADERS.has(name)) continue;
    seen ??= new Set();
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}
