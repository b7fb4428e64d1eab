import { subscribe } from "node:diagnostics_channel";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";

/** A route that a server of the process serves. `origin` is empty until its server listens. */
export interface ServedRoute {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
}

/** One interval in which no timer of the event loop could run. Milliseconds; `atMs` is the end, since the epoch. */
export interface Hold {
  readonly atMs: number;
  readonly wallMs: number;
  /** CPU time of the main thread within it, so that a machine which is busy elsewhere holds nothing. */
  readonly cpuMs: number;
}

/** The blocks of the event loop since the last `reset`, and the maximum that `monitorEventLoopDelay` measured. */
export interface LoopReport {
  readonly maxDelayMs: number;
  readonly holds: readonly Hold[];
}

/** What the process has after a garbage collection. Bytes. */
export interface Footprint {
  readonly heapBytes: number;
  readonly bufferBytes: number;
  readonly rssBytes: number;
  /** Connections that the HTTP servers hold open. */
  readonly connections: number;
  /** Listeners on `process` and on the HTTP servers. */
  readonly listeners: number;
  /** Active resources by type, as `process.getActiveResourcesInfo` names them. */
  readonly resources: Readonly<Record<string, number>>;
}

/** Measures the process in which it runs. */
export interface Probe {
  readonly routes: () => readonly ServedRoute[];
  readonly reset: () => void;
  readonly readLoop: () => LoopReport;
  /** Collects garbage first; the process needs `--expose-gc`. */
  readonly readFootprint: () => Promise<Footprint>;
}

/** What a Fastify server is used for here. */
interface Watched {
  readonly server: Server;
  readonly addHook: (name: "onRoute", hook: (route: { method: string | string[]; url: string }) => void) => void;
}

const BEAT_MS = 5;
/** A shorter interval is the normal work of an event loop. */
const REPORTED_HOLD_MS = 30;
const MOST_HOLDS = 200;
const BYTES_OF_V8 = ["heapUsed", "external"] as const;

/**
 * Starts to measure. Call it before any Fastify server is made: it learns the servers and their routes from the diagnostics channel
 * `fastify.initialization`, so that no service needs an endpoint for this.
 */
export function startProbe(): Probe {
  const servers: { readonly app: Watched; readonly routes: { method: string; path: string }[] }[] = [];
  subscribe("fastify.initialization", (message) => {
    const { fastify: app } = message as { readonly fastify: Watched };
    const routes: { method: string; path: string }[] = [];
    servers.push({ app, routes });
    app.addHook("onRoute", ({ method, url }) => {
      for (const one of [method].flat()) routes.push({ method: one, path: url });
    });
  });
  const delays = monitorEventLoopDelay({ resolution: BEAT_MS });
  delays.enable();
  const beat = startBeat();
  return {
    routes: () =>
      servers.flatMap(({ app, routes }) => routes.map((route) => ({ origin: originOf(app.server), ...route }))),
    reset: () => {
      delays.reset();
      beat.reset();
    },
    readLoop: () => ({ maxDelayMs: Math.max(0, delays.max / 1e6 - BEAT_MS), holds: beat.holds() }),
    readFootprint: () => readFootprint(servers.map(({ app }) => app.server)),
  };
}

function originOf(server: Server): string {
  const address = server.address() as AddressInfo | null;
  return address === null ? "" : `http://127.0.0.1:${address.port}`;
}

function startBeat(): { readonly reset: () => void; readonly holds: () => readonly Hold[] } {
  let holds: Hold[] = [];
  let lastMs = performance.now();
  let lastCpuMs = readCpuMs();
  setInterval(() => {
    const nowMs = performance.now();
    const cpuMs = readCpuMs();
    const wallMs = nowMs - lastMs - BEAT_MS;
    if (wallMs > REPORTED_HOLD_MS && holds.length < MOST_HOLDS) {
      holds.push({ atMs: Date.now(), wallMs, cpuMs: Math.min(wallMs, cpuMs - lastCpuMs) });
    }
    lastMs = nowMs;
    lastCpuMs = cpuMs;
  }, BEAT_MS);
  return {
    reset: () => {
      holds = [];
    },
    holds: () => holds,
  };
}

function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

async function readFootprint(servers: readonly Server[]): Promise<Footprint> {
  for (let time = 0; time < 3; time++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { rss, arrayBuffers, ...memory } = process.memoryUsage();
  const resources: Record<string, number> = {};
  for (const type of process.getActiveResourcesInfo()) resources[type] = (resources[type] ?? 0) + 1;
  const connections = await Promise.all(servers.map(countConnections));
  return {
    heapBytes: BYTES_OF_V8.reduce((sum, name) => sum + memory[name], 0) - arrayBuffers,
    bufferBytes: arrayBuffers,
    rssBytes: rss,
    connections: connections.reduce((sum, count) => sum + count, 0),
    listeners: [process, ...servers].reduce((sum, emitter) => sum + countListeners(emitter), 0),
    resources,
  };
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((error, count) => resolve(error === null ? count : 0)));
}

function countListeners(emitter: Pick<NodeJS.EventEmitter, "eventNames" | "listenerCount">): number {
  return emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0);
}
