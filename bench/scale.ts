import type { BenchReport } from './support/measurement.ts'; export async function benchScale(_c: unknown): Promise<BenchReport> { return { outcomes: [], figures: [], notes: [] }; }
