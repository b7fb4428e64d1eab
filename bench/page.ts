import type { EName } from "@dataspace/protocol/ename";
import { createOwners, makeTables, startVault } from "./support/bench-vault.ts";
import { compare } from "./support/compare.ts";
import { pageRequest, toHttp } from "./support/graphql-requests.ts";
import { loadRecords } from "./support/load-records.ts";
import type { BenchContext, BenchReport } from "./support/measurement.ts";

const HTTP_CONNECTIONS = 8;
const PAGE = 50;

const COMPILED = `page of ${PAGE}, compiled, ${HTTP_CONNECTIONS} connections`;
const INTERPRETED = `page of ${PAGE}, never compiled, ${HTTP_CONNECTIONS} connections`;

/** Reads pages of 50 with all Envelopes from two vaults that differ in one setting: whether documents are compiled. */
export async function benchPage(context: BenchContext): Promise<BenchReport> {
  await using database = await context.server.createDatabase("page");
  await makeTables(database);
  await using compiled = await startVault(database.url);
  await using interpreted = await startVault(database.url, { compileFrom: null });
  const [owner] = (await createOwners(database, 1)) as [EName];
  await loadRecords({ database, vault: compiled }, { owner, count: context.sizes.fewRecords });
  const request = pageRequest(owner, { first: PAGE });
  await assertSameAnswer([compiled, interpreted].map((vault) => vault.ask(owner, request)));
  const { load, sizes } = context;
  await load.prepare({ name: "compiled", port: compiled.port, requests: [toHttp(request)] });
  await load.prepare({ name: "interpreted", port: interpreted.port, requests: [toHttp(request)] });
  const window = { connections: HTTP_CONNECTIONS, durationMs: sizes.windowMs };
  const comparison = await compare(context, [
    { name: COMPILED, servicePid: compiled.pid, run: () => load.run({ name: "compiled", ...window }) },
    { name: INTERPRETED, servicePid: interpreted.pid, run: () => load.run({ name: "interpreted", ...window }) },
  ]);
  return {
    outcomes: [
      {
        name: "CPU of a page of 50, compiled / not",
        measured: comparison.ratio("serviceCpuUs", COMPILED, INTERPRETED),
        bar: 0.6,
        atMost: true,
      },
    ],
    figures: comparison.figures,
    notes: ["CPU of the vault's process per page, everything included: HTTP, driver, execution, JSON."],
  };
}

async function assertSameAnswer(answers: readonly Promise<unknown>[]): Promise<void> {
  const [first, second] = (await Promise.all(answers)).map((answer) => JSON.stringify(answer));
  if (first === undefined || first !== second || first.length < PAGE * 500)
    throw new Error("the two vaults answer differently");
}
