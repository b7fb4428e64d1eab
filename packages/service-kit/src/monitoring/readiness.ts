import type { FastifyInstance } from "fastify";

/** Finds what keeps a service from its work, in words; undefined while nothing does. */
export type ReadinessCheck = () => string | undefined;

declare module "fastify" {
  interface FastifyInstance {
    /** Asked at each question to `/readyz`. */
    readinessChecks: ReadinessCheck[] | undefined;
  }
}

/** Adds a check to a service's server, before it listens. Refuses: never. Source: decision P6. */
export function addReadinessCheck(service: FastifyInstance, check: ReadinessCheck): void {
  if (!service.hasDecorator("readinessChecks")) service.decorate("readinessChecks", []);
  service.readinessChecks?.push(check);
}

/** Finds the first fault of a service's checks. Refuses: never. */
export function findReadinessFault({ readinessChecks }: FastifyInstance): string | undefined {
  for (const check of readinessChecks ?? []) {
    const fault = check();
    if (fault !== undefined) return fault;
  }
  return undefined;
}
