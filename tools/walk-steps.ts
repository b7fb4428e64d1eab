// The steps of a walk: each names a file and a function of it, in backticks, so that a renamed step is found.

/** Reads a file of the repository; undefined when it does not exist. */
export type ReadSource = (file: string) => string | undefined;

const namedFile = /`([\w@.-]+(?:\/[\w@.-]+)+\.\w+)`/g;
const namedFunction = /`(\w+)\(\)`/g;

/**
 * Finds what is wrong with a walk: a file that does not exist, a step without a file or without a function, and a
 * function that no file of its step declares. A step is a table row or a list item that begins with a number.
 *
 * Out: one sentence for each fault. Refuses: never.
 */
export function findWalkFaults(page: string, text: string, readSource: ReadSource): string[] {
  const gone = namesIn(text, namedFile)
    .filter((file) => readSource(file) === undefined)
    .map((file) => `${page} names ${file}, which does not exist`);
  const steps = [...text.matchAll(/^(?:\| *(\d+) *\|.*|(\d+)\. .*(?:\n {2,}.*)*)/gm)];
  if (steps.length === 0) return [...gone, `${page} has no numbered step`];
  return [...gone, ...steps.flatMap((step) => faultsOfStep(`${page} step ${step[1] ?? step[2]}`, step[0], readSource))];
}

function faultsOfStep(where: string, step: string, readSource: ReadSource): string[] {
  const sources = namesIn(step, namedFile).flatMap((file) => readSource(file) ?? []);
  const functions = namesIn(step, namedFunction);
  if (sources.length === 0 || functions.length === 0) return [`${where} names no file or no function`];
  return functions
    .filter((name) => !sources.some((source) => isDeclared(name, source)))
    .map((name) => `${where} names ${name}(), which none of its files declares`);
}

function isDeclared(name: string, source: string): boolean {
  return new RegExp(`(?:function\\*?|const) ${name}\\b|^\\s+(?:async |readonly )?${name}[(:]`, "m").test(source);
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? "");
}
