import { randomUUID } from "node:crypto";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { openDirectoryBlobStore } from "../../src/files/directory-blob-store.ts";
import { startVault, type TestVault } from "../support/start-vault.ts";
import type { PeekQuarantine } from "./consult.ts";
import type { Fleet } from "./send.ts";
import type { Name, Party, World } from "./world.ts";

/** The servers of a run, on one database. */
export interface PermissionFleet extends AsyncDisposable {
  readonly fleet: Fleet;
  readonly vault: TestVault;
  readonly peek: PeekQuarantine;
}

const KEYED: readonly Name[] = ["ann", "bob", "eve", "forge", "guild", "board"];
const KEYLESS: readonly Name[] = ["crew", "club"];

/** Starts one server for each way to treat strangers and legacy tokens. */
export async function startPermissionFleet(): Promise<PermissionFleet> {
  await using stack = new AsyncDisposableStack();
  const enforced = { auth: "enforced" } as const;
  const vault = stack.use(await startVault({ ...enforced, anonymousStore: "quarantine" }));
  const blobs = await openDirectoryBlobStore(vault.filesDirectory, "DS_FILES");
  const beside = async (changes: Parameters<typeof startVault>[0]) =>
    stack.use(await startVault(changes, { registry: vault.registry, database: vault.database, blobs }));
  const servers = {
    quarantine: vault,
    allow: await beside({ ...enforced, anonymousStore: "allow" }),
    deny: await beside({ ...enforced, anonymousStore: "deny" }),
    header: await beside({ auth: "header" }),
    readOnly: await beside({ ...enforced, legacyTokens: "read-only" }),
  };
  const iat = Math.floor(Date.now() / 1000);
  const owned = stack.move();
  return {
    vault,
    fleet: { servers, legacyToken: (platform) => vault.signAsRegistry({ platform, iat, exp: iat + 86_400 }) },
    peek: async (owner, id) => {
      const text = "select quarantined from meta_envelope where owner = $1 and id = $2";
      const { rows } = await vault.database.query<{ quarantined: boolean }>({ text, values: [owner, id] });
      return rows[0]?.quarantined === true;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/**
 * Creates the parties of one run: people and groups with keys, groups without, one hosted elsewhere, and one unknown.
 */
export async function createWorld({ vault }: PermissionFleet): Promise<World> {
  const parties: Party[] = [];
  for (const name of KEYED) {
    const key = await createWalletKey();
    const ename = await vault.createOwner(key.publicKey);
    parties.push({ name, ename, hasVault: true, fresh: false, keys: [key], records: new Map() });
  }
  for (const name of KEYLESS) {
    const ename = await vault.createOwner();
    const fresh = name === "crew";
    parties.push({ name, ename, hasVault: true, fresh, keys: [], records: new Map() });
    if (!fresh) await age(vault, ename);
  }
  for (const name of ["elsewhere", "ghost"] as const) {
    const ename = `@${randomUUID()}`;
    if (name === "elsewhere") vault.registry.addresses.set(ename, "http://127.0.0.1:1");
    parties.push({ name, ename, hasVault: false, fresh: false, keys: [], records: new Map() });
  }
  const byName = Object.fromEntries(parties.map((party) => [party.name, party])) as Record<Name, Party>;
  return { parties: new Map(parties.map((party) => [party.ename, party])), byName, genuine: new Set(), writes: 0 };
}

async function age({ database }: TestVault, owner: string): Promise<void> {
  const text = "update vault set created_at = created_at - interval '11 minutes' where owner = $1";
  await database.query({ text, values: [owner] });
}
