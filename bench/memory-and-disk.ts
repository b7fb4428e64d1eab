import type { BenchReport } from './support/measurement.ts'; export async function benchMemoryAndDisk(_c: unknown): Promise<BenchReport> { return { outcomes: [], figures: [], notes: [] }; }
