import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Reply, Target } from "../corpus/attack.ts";
import { askGraphQL } from "./ask.ts";
import { create, DOCUMENTS } from "./operations.ts";
import type { TestVault } from "./start-vault.ts";

/** What no answer may hold: words of the database, of files and of stacks, another owner's data, a foreign host. */
const TELLTALES =
  /INTERNAL_ERROR|SQLSTATE|select .* from|insert into|meta_envelope|pg_|relation "|syntax error at or near|node_modules|\/(?:home|work|usr|tmp)\/|\.ts:\d|\bat \w+ \(|(?<!Syntax )Error: |VICTIMS-OWN|gateway\.example/i;

/** A vault with a victim and an attacker in it, and what must hold of it whatever the attacker sends. */
export interface Besieged {
  readonly target: Target;
  /**
   * Fails when the answer is an internal error, or reveals the database, files of the service, or somebody else's data.
   */
  readonly checkAnswer: (reply: Reply, what: string) => void;
  /** Fails when anything that is not the attacker's own is not as it was, or the vault no longer serves. */
  readonly checkVault: (what: string) => Promise<void>;
  /** All that lies in the vault's tables, as one hash. */
  readonly digest: () => Promise<string>;
}

/** Puts a victim and an attacker into a vault. */
export async function besiege(vault: TestVault): Promise<Besieged> {
  const [attacker, victim] = [await vault.createOwner(), await vault.createOwner()];
  const ownId = await create(vault, attacker, { payload: { a: "mine" } });
  const victimId = await create(vault, victim, { payload: { secret: "VICTIMS-OWN" }, acl: [victim] });
  await create(vault, victim, { payload: { secret: "VICTIMS-OWN too" }, acl: [victim] });
  const { body } = await askGraphQL(vault, victim, DOCUMENTS.list, { first: 1 });
  const victimCursor = body.data.metaEnvelopes.pageInfo.endCursor;
  const target = { url: vault.url, attacker, ownId, victim, victimId, victimCursor };
  const before = await digestOf(vault, victim);
  return {
    target,
    checkAnswer: ({ status, text }, what) => {
      assert.ok(status < 500, `${what}: ${status} ${text.slice(0, 300)}`);
      assert.doesNotMatch(text, TELLTALES, what);
      assert.ok(text.length < 65_536, `${what}: an answer of ${text.length} characters`);
    },
    checkVault: async (what) => {
      assert.equal(await digestOf(vault, victim), before, `${what} changed what is somebody else's`);
      const read = await askGraphQL(vault, attacker, DOCUMENTS.list, { first: 1 });
      assert.equal(read.body.data?.metaEnvelopes.edges.length, 1, `${what}: the vault no longer serves`);
      const polluted = Object.keys(Object.prototype);
      assert.deepEqual(polluted, [], `${what} polluted the prototype of objects`);
    },
    digest: () => digestOf(vault),
  };
}

/** Hashes what lies in every table, or one owner's part of it, with the tables' own shapes. */
async function digestOf(vault: TestVault, owner?: string): Promise<string> {
  const columns = await vault.database.query<{ table: string; columns: string }>({
    text: `select table_name as "table", string_agg(column_name, ',' order by column_name) as columns
      from information_schema.columns where table_schema = 'public' group by table_name order by table_name`,
    values: [],
  });
  const hash = createHash("sha256").update(JSON.stringify(columns.rows));
  for (const { table, columns: names } of columns.rows) {
    const owned = owner !== undefined && names.split(",").includes("owner");
    if (owner !== undefined && !owned) continue;
    const { rows } = await vault.database.query<{ text: string | null }>({
      text: `select string_agg(t::text, E'\\n' order by t::text) as text from "${table}" t ${owned ? "where owner = $1" : ""}`,
      values: owned ? [owner] : [],
    });
    hash.update(`${table} ${rows[0]?.text}`);
  }
  return hash.digest("hex");
}
