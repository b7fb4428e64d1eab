import { ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import { createRecord, listRecords } from "../vault/records.ts";
import type { VaultConnection } from "../vault/vault-connection.ts";
import { randomProfile } from "./random-profile.ts";

/**
 * Finds the name in a vault's profile. There is one already if an earlier attempt wrote it and its answer was lost.
 *
 * Refuses: as `VaultConnection`.
 */
export async function findProfile(vault: VaultConnection): Promise<string | undefined> {
  const { items } = await listRecords(vault, { ontology: ONTOLOGY_ID.User });
  const name = items[0]?.parsed["displayName"];
  return typeof name === "string" ? name : undefined;
}

/** Writes a random profile that everybody may read. Out: its name. Refuses: as `VaultConnection`. Source: S3 "Sandbox". */
export async function writeProfile(vault: VaultConnection): Promise<string> {
  const payload = randomProfile(vault.ename, Math.random, new Date().toISOString());
  await createRecord(vault, { ontology: ONTOLOGY_ID.User, payload, acl: ["*"] });
  return payload.displayName;
}
