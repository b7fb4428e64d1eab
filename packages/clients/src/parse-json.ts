/** Reads JSON that may be damaged or none; undefined then. Refuses: never. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
