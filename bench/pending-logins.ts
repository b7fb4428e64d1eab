import { once } from "node:events";
import { type ClientRequest, request } from "node:http";
import { type BenchLogin, startBenchConnector } from "./support/bench-login.ts";
import type { OpenedLogin } from "./support/login-client.ts";
import type { BenchContext, BenchReport } from "./support/measurement.ts";

const LOGINS_PER_WINDOW_MS = 5;
const AT_ONCE = 50;
const MIB = 1_048_576;
const LONG_LOGINS = 10_000;

/** Opens as many logins as may wait, an event stream for each, and measures the connector's memory; then one of them logs in. */
export async function benchPendingLogins({ server, sizes, say }: BenchContext): Promise<BenchReport> {
  const logins = Math.min(LONG_LOGINS, Math.ceil(sizes.windowMs * LOGINS_PER_WINDOW_MS));
  await using connector = await startBenchConnector(server);
  const before = await connector.child.ask<number>("memoryBytes");
  const streams: ClientRequest[] = [];
  try {
    while (streams.length < logins) {
      const batch = Math.min(AT_ONCE, logins - streams.length);
      const opened = await Promise.all(Array.from({ length: batch }, () => connector.load.open()));
      streams.push(...(await Promise.all(opened.map((login) => follow(connector, login)))));
      if (streams.length % 1_000 === 0) say(`${streams.length} logins and streams`);
    }
    const after = await connector.child.ask<number>("memoryBytes");
    await connector.load.readUserinfo(await connector.load.exchange(await connector.load.obtainCode()));
    return {
      outcomes: [
        {
          name: `memory with ${logins} pending logins and as many event streams`,
          measured: after / MIB,
          bar: 1_024,
          atMost: true,
          unit: " MiB",
        },
      ],
      figures: [],
      notes: [
        `Before: ${(before / MIB).toFixed(0)} MiB. Each login with its stream takes ${((after - before) / logins / 1_024).toFixed(1)} KiB. One more login finishes meanwhile.`,
        ...(logins < LONG_LOGINS ? [`The long form opens ${LONG_LOGINS}.`] : []),
      ],
    };
  } finally {
    for (const stream of streams) stream.destroy();
  }
}

async function follow({ port }: BenchLogin, { session, cookie }: OpenedLogin): Promise<ClientRequest> {
  const stream = request({ host: "127.0.0.1", port, path: `/ds/events/${session}`, headers: { cookie }, agent: false });
  stream.end();
  const [answer] = await once(stream, "response");
  if (answer.statusCode !== 200) throw new Error(`/ds/events: ${answer.statusCode}`);
  stream.on("error", () => undefined);
  answer.resume();
  return stream;
}
