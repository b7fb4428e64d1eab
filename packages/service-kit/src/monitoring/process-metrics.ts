import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Metrics } from "./metrics.ts";

const SAMPLE_MS = 10;

/**
 * Measures this process: its memory, and how late its event loop is. In: `metrics` takes the figures. Out: disposing ends it.
 *
 * Source: decision P6.
 */
export function measureProcess(metrics: Metrics): Disposable {
  const delays = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delays.enable();
  metrics.addFigures(
    {
      event_loop_delay_seconds: "How late the event loop was since this was last read: the 99th percentile.",
      process_resident_memory_bytes: "Memory of the process.",
      nodejs_heap_size_used_bytes: "JavaScript objects of the process.",
    },
    async () => {
      // What is sampled is the time between two beats of SAMPLE_MS.
      const lateMs = Math.max(0, delays.percentile(99) / 1e6 - SAMPLE_MS);
      delays.reset();
      const { rss, heapUsed } = process.memoryUsage();
      return {
        event_loop_delay_seconds: lateMs / 1_000,
        process_resident_memory_bytes: rss,
        nodejs_heap_size_used_bytes: heapUsed,
      };
    },
  );
  return { [Symbol.dispose]: () => void delays.disable() };
}
