import type { TracingLog } from "./open-tracer.ts";
import type { Tracer } from "./tracer.ts";

/**
 * Opens the tracer of a service into `opened`, where a collector is configured. Its libraries are loaded only then, so that other
 * services pay nothing.
 *
 * Out: undefined without a collector. Refuses: never. Source: decision P7.
 */
export async function startTracing(
  opened: AsyncDisposableStack,
  { endpoint, service }: { readonly endpoint: string | undefined; readonly service: string },
  log: TracingLog,
): Promise<Tracer | undefined> {
  if (endpoint === undefined) return undefined;
  const { openTracer } = await import("./open-tracer.ts");
  return opened.use(openTracer({ endpoint, service }, log));
}
