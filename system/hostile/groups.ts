import { createSeededRandom } from "@dataspace/service-kit/testing/test-random";
import { pick, shuffle } from "../crash/random.ts";
import { documentAttacks } from "./document-attacks.ts";
import type { Extent } from "./extent.ts";
import { fieldAttacks } from "./field-attacks.ts";
import type { Operation } from "./operation.ts";
import { inParallel, type Sending, type Sent, sendAttacks, sendExample, sendWireAttacks } from "./send-attacks.ts";
import { vanishAtEachStage } from "./vanishing.ts";

/** A group of requests that is judged together: it is sent, and afterwards the process must be as before. */
export interface Group {
  readonly name: string;
  readonly atOnce: number;
  readonly run: (sending: Sending) => Promise<GroupOutcome>;
}

/** What was sent, and faults besides the answers. */
export interface GroupOutcome {
  readonly sent: readonly Sent[];
  readonly faults: readonly string[];
}

const AT_ONCE = 8;
const LARGE = 1_300_000;
const UNTOUCHED = /^\/(?:ui|metrics|readyz)/;

/** Makes the groups of each service's operations; those of the admin servers belong together. In: `seed` draws what an extent leaves out. */
export function groupsOf(
  operations: readonly Operation[],
  drawing: { readonly extent: Extent; readonly seed: number },
): readonly Group[] {
  const services = Map.groupBy(operations, ({ service }) => (service.endsWith(" admin") ? "admin servers" : service));
  return [...services].flatMap(([service, own]) => groupsOfService(service, own, drawing));
}

function groupsOfService(
  service: string,
  own: readonly Operation[],
  { extent, seed }: { readonly extent: Extent; readonly seed: number },
): readonly Group[] {
  const random = createSeededRandom(seed);
  const some = extent.operationsAtOnce === undefined ? own : drawOf(own, extent.operationsAtOnce, random);
  const graphql = own.find(({ path }) => path === "/graphql");
  return [
    { name: `${service}: fields`, atOnce: AT_ONCE, run: (sending) => sendFields(own, sending, { extent, seed }) },
    ...(graphql === undefined
      ? []
      : [{ name: `${service}: documents`, atOnce: 1, run: (sending: Sending) => sendDocuments(graphql, sending) }]),
    {
      name: `${service}: wire`,
      atOnce: AT_ONCE,
      run: (sending) => sendWire(own, sending, { wirePerOperation: extent.wirePerOperation, random }),
    },
    ...some.map((operation) => ({
      name: `${operation.name}: peers vanish`,
      atOnce: extent.vanishing,
      run: (sending: Sending) => vanish(operation, sending, extent),
    })),
    ...extent.bursts.flatMap((size) =>
      some.map((operation) => ({
        name: `${operation.name}: ${size} at once`,
        atOnce: size,
        run: (sending: Sending) => sendBurst(operation, sending, { size, seed }),
      })),
    ),
  ];
}

// One operation of each route first, and those that take a body before the others.
function drawOf(operations: readonly Operation[], count: number, random: () => number): readonly Operation[] {
  const drawn = shuffle(
    operations.filter(({ path }) => !UNTOUCHED.test(path)),
    random,
  );
  const withBody = drawn.filter(({ body }) => body !== undefined);
  return [...withBody, ...drawn.filter(({ body }) => body === undefined)].slice(0, count);
}

async function sendFields(
  operations: readonly Operation[],
  sending: Sending,
  { extent, seed }: { readonly extent: Extent; readonly seed: number },
): Promise<GroupOutcome> {
  const drawn = operations.flatMap((operation, index) => fieldAttacks(operation, seed + index, extent));
  const attacks = extent.everyCaller
    ? drawn.flatMap((attack) => attack.operation.callers.map((caller) => ({ ...attack, caller })))
    : drawn;
  return { sent: await sendAttacks(attacks, sending), faults: [] };
}

// One at a time, so that a blocked event loop has a known cause.
async function sendDocuments(operation: Operation, sending: Sending): Promise<GroupOutcome> {
  return { sent: await sendAttacks(documentAttacks(operation), { ...sending, atOnce: 1 }), faults: [] };
}

async function sendWire(
  operations: readonly Operation[],
  sending: Sending,
  given: { readonly wirePerOperation: number | undefined; readonly random: () => number },
): Promise<GroupOutcome> {
  const { wirePerOperation, random } = given;
  const share = wirePerOperation === undefined ? 1 : wirePerOperation / 60;
  const sent = await inParallel(operations, 2, (operation) =>
    sendWireAttacks(operation, { ...sending, atOnce: sending.atOnce / 2 }, () => random() < share),
  );
  return { sent: sent.flat(), faults: [] };
}

// A large body is accepted after the peers are gone as it was before them, and while they are there.
async function vanish(operation: Operation, { scene }: Sending, { vanishing }: Extent): Promise<GroupOutcome> {
  const credential = await scene.headersOf(operation.callers.at(-1) ?? "nobody");
  const isLarge = operation.body?.kind === "json";
  const ask = (): Promise<readonly number[]> =>
    Promise.all([sendExample(operation, scene, 0), ...(isLarge ? [sendExample(operation, scene, LARGE)] : [])]);
  const faults: string[] = [];
  const check = async (when: string): Promise<void> => {
    const statuses = await ask();
    if (statuses.some((status) => status >= 500 || (status === 0 && !isLarge))) {
      faults.push(
        `${operation.name}: while peers vanish (${when}) the example is answered with ${statuses.join(" and ")}`,
      );
    }
  };
  await ask();
  await vanishAtEachStage(operation, { credential, atOnce: vanishing }, check);
  await check("all of them are gone");
  return { sent: [], faults };
}

async function sendBurst(
  operation: Operation,
  sending: Sending,
  { size, seed }: { readonly size: number; readonly seed: number },
): Promise<GroupOutcome> {
  const random = createSeededRandom(seed + size);
  const attacks = fieldAttacks(operation, seed, { perField: 3, fieldsPerOperation: undefined });
  const drawn = Array.from({ length: size }, () => {
    const attack = pick(attacks, random);
    return { ...attack, caller: pick(operation.callers, random) };
  });
  return { sent: await sendAttacks(drawn, { ...sending, atOnce: size }), faults: [] };
}
