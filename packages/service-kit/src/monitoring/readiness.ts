import type { FastifyInstance } from "fastify";

/** Returns in words what prevents a service from working; undefined when nothing does. */
export type ReadinessCheck = () => string | undefined;

declare module "fastify" {
  interface FastifyInstance {
    /** Called at each `GET /readyz`. */
    readinessChecks: ReadinessCheck[] | undefined;
  }
}

/** Adds a check to a service's server, before it listens. Refuses: never. Source: decision P6. */
export function addReadinessCheck(service: FastifyInstance, check: ReadinessCheck): void {
  if (!service.hasDecorator("readinessChecks")) service.decorate("readinessChecks", []);
  service.readinessChecks?.push(check);
}

/** Returns the first fault of a service's checks. Refuses: never. */
export function findReadinessFault({ readinessChecks }: FastifyInstance): string | undefined {
  for (const check of readinessChecks ?? []) {
    const fault = check();
    if (fault !== undefined) return fault;
  }
  return undefined;
}
