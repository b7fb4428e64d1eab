import { createSeededRandom } from "@dataspace/service-kit/testing/test-random";
import { pick, type Random, shuffle } from "../crash/random.ts";
import type { Attack } from "./attack.ts";
import type { Extent } from "./extent.ts";
import { HOSTILE_HEADER_TEXTS, HOSTILE_URL_TEXTS, HOSTILE_VALUES } from "./hostile-values.ts";
import { exampleParts, type Operation, type Parts, toRequest } from "./operation.ts";

type Step = string | number;

/** A place in an example body. The steps after `inText` lead into the JSON that a text of the body holds. */
interface Place {
  readonly steps: readonly Step[];
  readonly inText: readonly Step[];
}

const PLACEHOLDER = "\u2603here\u2603";
const ALWAYS_SENT = [
  "x-ename",
  "authorization",
  "x-on-behalf-of",
  "idempotency-key",
  "accept",
  "if-none-match",
  "cookie",
];

/**
 * Makes the attacks on the fields of an operation. Each path part, query parameter, header and place of the body gets
 * each hostile value, or as many of them as the seed draws; the example itself comes first.
 *
 * In: `perField` values for each field and `fieldsPerOperation` attacks in all; undefined for all. Refuses: never.
 */
export function fieldAttacks(
  operation: Operation,
  seed: number,
  { perField, fieldsPerOperation }: Pick<Extent, "perField" | "fieldsPerOperation">,
): readonly Attack[] {
  const random = createSeededRandom(seed);
  const example = exampleParts(operation);
  const draw = <T>(values: readonly T[]): readonly T[] =>
    perField === undefined ? values : shuffle(values, random).slice(0, perField);
  const attack = (name: string, parts: Parts): Attack => ({
    operation,
    name: `${operation.name}: ${name}`,
    caller: pick(operation.callers, random),
    request: toRequest(operation, parts),
  });
  const attacks = [
    ...Object.keys(operation.params).flatMap((name) =>
      draw(HOSTILE_URL_TEXTS).map((value) =>
        attack(`path :${name} = ${value.name}`, { ...example, params: { ...example.params, [name]: value.text } }),
      ),
    ),
    ...[...Object.keys(operation.query), "unknown"].flatMap((name) =>
      draw(HOSTILE_URL_TEXTS).map((value) =>
        attack(`query ${name} = ${value.name}`, { ...example, query: { ...example.query, [name]: value.text } }),
      ),
    ),
    ...headerNames(operation, random, perField).flatMap((name) =>
      draw(HOSTILE_HEADER_TEXTS).map((value) =>
        attack(`header ${name} = ${value.name}`, {
          ...example,
          headers: withHeader(example.headers, name, value.text),
        }),
      ),
    ),
    ...bodyAttacks(operation, draw).map(({ name, body }) => attack(name, { ...example, body })),
  ];
  const drawn = fieldsPerOperation === undefined ? attacks : shuffle(attacks, random).slice(0, fieldsPerOperation);
  return [attack("the example", example), ...drawn];
}

function headerNames(operation: Operation, random: Random, perField: number | undefined): readonly string[] {
  const own = Object.keys(operation.headers).map((name) => name.toLowerCase());
  const all = [...new Set([...own, ...ALWAYS_SENT])];
  return perField === undefined ? all : shuffle(all, random).slice(0, 2);
}

function withHeader(headers: Parts["headers"], name: string, text: string): Parts["headers"] {
  return [...headers.filter(([other]) => other.toLowerCase() !== name), [name, text]];
}

function bodyAttacks(
  { body }: Operation,
  draw: <T>(values: readonly T[]) => readonly T[],
): readonly { readonly name: string; readonly body: Buffer }[] {
  if (body === undefined) return [];
  if (body.kind === "form") {
    const fields = Object.keys(body.value).filter((field) => !body.fixed.includes(field));
    return fields.flatMap((field) =>
      draw(HOSTILE_URL_TEXTS).map(({ name, text }) => {
        const others = new URLSearchParams(body.value as Record<string, string>);
        others.delete(field);
        return { name: `form ${field} = ${name}`, body: Buffer.from(`${field}=${text}&${others}`) };
      }),
    );
  }
  const places = findPlaces(body.value, body.fixed);
  return [
    ...draw(HOSTILE_VALUES).map(({ name, json }) => ({ name: `body = ${name}`, body: Buffer.from(json) })),
    ...places.flatMap((place) =>
      draw(HOSTILE_VALUES).map(({ name, json }) => ({
        name: `body ${[...place.steps, ...place.inText].join(".")} = ${name}`,
        body: Buffer.from(replaceAt(body.value, place, json)),
      })),
    ),
  ];
}

/** Every member and item, down to the last, also of JSON that stands in a text; and beside each object's members one more. */
function findPlaces(value: unknown, fixed: readonly string[]): readonly Place[] {
  const inside = (at: unknown, steps: readonly Step[]): readonly (readonly Step[])[] => {
    const here = steps.length === 0 ? [] : [steps];
    if (typeof at !== "object" || at === null) return here;
    const names = Array.isArray(at) ? [...at.keys()] : [...Object.keys(at), "anotherMember"];
    return [...here, ...names.flatMap((name) => inside((at as Record<Step, unknown>)[name], [...steps, name]))];
  };
  return inside(value, []).flatMap((steps): readonly Place[] => {
    if (fixed.includes(String(steps[0]))) return [];
    const nested = parseObject(steps.reduce((at, step) => (at as Record<Step, unknown>)?.[step], value));
    const inText = nested === undefined ? [] : inside(nested, []).map((rest) => ({ steps, inText: rest }));
    return [{ steps, inText: [] }, ...inText];
  });
}

function replaceAt(value: unknown, { steps, inText }: Place, json: string): string {
  if (inText.length === 0)
    return JSON.stringify(putAt(value, steps, PLACEHOLDER)).replace(`"${PLACEHOLDER}"`, () => json);
  const text = steps.reduce((at, step) => (at as Record<Step, unknown>)[step], value) as string;
  const inner = replaceAt(JSON.parse(text), { steps: inText, inText: [] }, json);
  return JSON.stringify(putAt(value, steps, inner));
}

function putAt(value: unknown, [step, ...rest]: readonly Step[], put: unknown): unknown {
  if (step === undefined) return put;
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
  (copy as Record<Step, unknown>)[step] = putAt((copy as Record<Step, unknown>)[step], rest, put);
  return copy;
}

function parseObject(value: unknown): object | undefined {
  if (typeof value !== "string" || !value.startsWith("{")) return undefined;
  try {
    return JSON.parse(value) as object;
  } catch {
    return undefined;
  }
}
