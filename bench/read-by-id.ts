import type { EName } from "@dataspace/protocol/ename";
import { startBareServer } from "./support/bare-server.ts";
import { type BenchVault, createOwners, makeTables, startVault } from "./support/bench-vault.ts";
import { compare } from "./support/compare.ts";
import { createRequest, readRequest, toHttp } from "./support/graphql-requests.ts";
import type { BenchContext, BenchReport } from "./support/measurement.ts";
import { sampleInput } from "./support/sample-records.ts";

const HTTP_CONNECTIONS = 32;
const RECORDS = 1_000;
const OWNERS = 100;

const READ = `read by id over HTTP, ${HTTP_CONNECTIONS} connections`;
const SPREAD = `the same, of ${OWNERS} owners at random`;
const BARE = `bare Fastify, same request, same answer, ${HTTP_CONNECTIONS} connections`;
const CONSTANT = `bare Fastify, GET of a constant text, ${HTTP_CONNECTIONS} connections`;

/**
 * Reads by id end to end beside a bare Fastify server that takes the same requests and writes the same answer each time, with
 * no GraphQL and no database. The reads are of one owner, whose reads of one turn share a statement; reads of many owners, which
 * share none, are shown beside it. A constant text, which takes no JSON in and writes none, is shown beside it.
 */
export async function benchReadById(context: BenchContext): Promise<BenchReport> {
  await using database = await context.server.createDatabase("read");
  await makeTables(database);
  await using vault = await startVault(database.url);
  const owners = await createOwners(database, OWNERS);
  const owner = owners[0] as EName;
  const ids = await createRecords(vault, { owners: [owner], count: RECORDS });
  const spread = await createRecords(vault, { owners, count: OWNERS });
  await database.query({ text: "vacuum analyze", values: [] });
  const answer = { data: await vault.ask(owner, readRequest(owner, ids[0] as string)) };
  await using bare = await startBareServer(JSON.stringify(answer));
  const { load, sizes } = context;
  await load.prepare({ name: "read", port: vault.port, requests: ids.map((id) => toHttp(readRequest(owner, id))) });
  const spreadReads = spread.map((id, index) => toHttp(readRequest(owners[index] as EName, id)));
  await load.prepare({ name: "spread", port: vault.port, requests: spreadReads });
  await load.prepare({ name: "bare", port: bare.port, requests: ids.map((id) => toHttp(readRequest(owner, id))) });
  await load.prepare({ name: "constant", port: bare.port, requests: ["GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"] });
  const window = { connections: HTTP_CONNECTIONS, durationMs: sizes.windowMs };
  const comparison = await compare(context, [
    { name: READ, servicePid: vault.pid, run: () => load.run({ name: "read", ...window }) },
    { name: SPREAD, servicePid: vault.pid, run: () => load.run({ name: "spread", ...window }) },
    { name: BARE, servicePid: bare.pid, run: () => load.run({ name: "bare", ...window }) },
    { name: CONSTANT, servicePid: bare.pid, run: () => load.run({ name: "constant", ...window }) },
  ]);
  return {
    outcomes: [
      {
        name: "read by id end to end / bare Fastify",
        measured: comparison.ratio("opsPerSecond", READ, BARE),
        bar: 0.25,
        atMost: false,
      },
    ],
    figures: comparison.figures,
    notes: [
      `The answer has ${JSON.stringify(answer).length} bytes: id, ontology, payload and six Envelopes. Of a constant text by GET the ratio is ${comparison.ratio("opsPerSecond", READ, CONSTANT).toFixed(2)}.`,
      `Of ${OWNERS} owners the ratio is ${comparison.ratio("opsPerSecond", SPREAD, BARE).toFixed(2)}.`,
      `By CPU per operation of the serving process the ratio is ${comparison.ratio("serviceCpuUs", BARE, READ).toFixed(2)}.`,
    ],
  };
}

async function createRecords(
  vault: BenchVault,
  { owners, count }: { readonly owners: readonly EName[]; readonly count: number },
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const owner = owners[number % owners.length] as EName;
    type Created = { createMetaEnvelope: { metaEnvelope: { id: string } } };
    const created = await vault.ask<Created>(owner, createRequest(owner, sampleInput(number)));
    ids.push(created.createMetaEnvelope.metaEnvelope.id);
  }
  return ids;
}
