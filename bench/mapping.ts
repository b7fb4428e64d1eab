import { fromGlobal, toGlobal } from "@dataspace/adapter/mapping/convert";
import { createMappings } from "@dataspace/adapter/mapping/create-mappings";
import type { Mapping } from "@dataspace/adapter/mapping/mapping";
import { compare, type Variant } from "./support/compare.ts";
import { runInTurn } from "./support/cpu-loop.ts";
import type { BenchContext, BenchReport } from "./support/measurement.ts";

const FIELDS = 30;
const BATCH = 200;
const OUT = `rows of ${FIELDS} fields to payloads`;
const BACK = `payloads of ${FIELDS} fields to rows`;
const COPY = `yardstick: rows of ${FIELDS} fields copied with structuredClone`;

const LOOKUPS = {
  globalId: (table: string, localId: string) => `${table}:${localId}`,
  fileUri: () => undefined,
  localId: (table: string, globalId: string) => globalId.slice(table.length + 1),
  file: () => undefined,
};

/** Converts rows of thirty fields of every form, each way, over and over; one thread. */
export async function benchMapping(context: BenchContext): Promise<BenchReport> {
  const mapping = sampleMapping();
  const rows = Array.from({ length: 1_000 }, (_, index) => sampleRow(index));
  const payloads = rows.map((row) => toGlobal(mapping, row, LOOKUPS).result);
  const work: Readonly<Record<string, (turn: number) => unknown>> = {
    [OUT]: (turn) => toGlobal(mapping, rows[turn % rows.length] as object as Record<string, unknown>, LOOKUPS),
    [BACK]: (turn) => fromGlobal(mapping, payloads[turn % payloads.length] as Record<string, unknown>, LOOKUPS),
    [COPY]: (turn) => structuredClone(rows[turn % rows.length]),
  };
  const variants: Variant[] = Object.entries(work).map(([name, convert]) => ({
    name,
    servicePid: process.pid,
    run: async () =>
      runInTurn((turn) => convert(turn) !== undefined && turn % 2 === 0, {
        batch: BATCH,
        durationMs: context.sizes.windowMs,
      }),
  }));
  const { figures } = await compare(context, variants);
  const perCpuSecond = (name: string) =>
    1e6 / (figures.find((figure) => figure.name === name)?.serviceCpuUs ?? Number.NaN);
  return {
    outcomes: [OUT, BACK].map((name) => ({
      name: `${name}, per second of CPU`,
      measured: perCpuSecond(name),
      bar: 50_000,
      atMost: false,
      unit: "/s",
    })),
    figures,
    notes: [
      "Of the thirty fields eighteen are plain, two nested; there are three relations, one list of relations, three dates, one of them calculated, one calculation, one list of a field and one file. A lookup is a function call; in the adapter it is an entry of a map that one query filled.",
    ],
  };
}

function sampleMapping(): Mapping {
  const plain = Object.fromEntries(Array.from({ length: 18 }, (_, at) => [`field${at}`, `Field${at}`]));
  const map = {
    ...plain,
    "place.city": "address.city",
    "place.country": "address.country",
    author: "users(author.id),authorId",
    parent: "posts(parentId),parentPostId",
    group: "users(group.id),groupId",
    likedBy: "users(likedBy[].id),likedBy",
    createdAt: "__date(createdAt)",
    updatedAt: "__date(updatedAt),changedAt",
    seenAt: "__date(calc(seenAt._seconds * 1000)),seenAt",
    total: "__calc(quantity * 4 + 1),total",
    "images[].src": "urls",
    photo: "__file(photo),photoUrl",
  };
  const rest = { schemaId: "s", ownerEnamePath: "ename" };
  const { byTable } = createMappings([
    { file: "posts", document: { ...rest, tableName: "posts", localToUniversalMap: map } },
    { file: "users", document: { ...rest, tableName: "users", localToUniversalMap: { name: "name" } } },
  ]);
  return byTable.get("posts") as Mapping;
}

function sampleRow(index: number): Record<string, unknown> {
  const plain = Array.from({ length: 18 }, (_, at) => [
    `field${at}`,
    at % 3 === 0 ? index + at : `value ${index} ${at}`,
  ]);
  return {
    ...Object.fromEntries(plain),
    place: { city: "Oslo", country: "Norway" },
    author: { id: `${index}` },
    parentId: `${index + 1}`,
    group: { id: `${index + 2}` },
    likedBy: [{ id: "1" }, { id: "2" }, { id: "3" }],
    createdAt: new Date(1_700_000_000_000 + index).toISOString(),
    updatedAt: new Date(1_700_000_001_000 + index).toISOString(),
    seenAt: { _seconds: 1_700_000_000 + index },
    quantity: index,
    images: [{ src: "https://x.example/1.png" }, { src: "https://x.example/2.png" }],
    photo: "https://x.example/photo.png",
  };
}
