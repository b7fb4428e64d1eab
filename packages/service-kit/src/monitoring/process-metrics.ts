import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Metrics } from "./metrics.ts";

const SAMPLE_MS = 10;

/**
 * Measures this process: its memory, and the delay of its event loop. In: `metrics` receives the values. Out: disposing
 * ends the measurement.
 *
 * Source: decision P6.
 */
export function measureProcess(metrics: Metrics): Disposable {
  const delays = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delays.enable();
  metrics.addFigures(
    {
      event_loop_delay_seconds: "Delay of the event loop since the last read: the 99th percentile.",
      process_resident_memory_bytes: "Memory of the process.",
      nodejs_heap_size_used_bytes: "JavaScript objects of the process.",
    },
    async () => {
      // The sample is the time between two timer ticks of SAMPLE_MS.
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
