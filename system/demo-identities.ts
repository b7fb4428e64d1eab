import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import type { Constellation } from "./constellation.ts";
import { createOwner } from "./create-owner.ts";
import { openOwnerVault } from "./open-owner-vault.ts";
import { DEMO_IDENTITIES_FILE, type DemoIdentity, readDemoIdentities } from "./read-demo-identities.ts";

type Where = Pick<Constellation, "registryUrl" | "vaultUrl" | "dataDirectory">;

/** The posts of each demo person, which every identified caller may read. */
const PEOPLE = [
  { name: "Amina Diallo", bio: "Grows mangoes and writes about them.", posts: ["The rains came early this year."] },
  {
    name: "Jonas Weber",
    bio: "Repairs clocks in Graz.",
    posts: ["Grüße aus Österreich!", "A clock from 1780, ticking."],
  },
  { name: "林美玲", bio: "拍照、爬山、喝茶。", posts: ["今天的山顶有云海。"] },
] as const;

/**
 * Creates the demo people at the first start, through the real registry and provisioner, and finds them later. Their
 * eNames and wallet keys are stored in the data directory (0600). People whose vaults are gone are created again.
 *
 * Refuses: UpstreamError and VaultError when a service refuses. Source: decision P5 (seeded with demo identities).
 */
export async function seedDemoIdentities(where: Where): Promise<readonly DemoIdentity[]> {
  const file = join(where.dataDirectory, DEMO_IDENTITIES_FILE);
  const known = readDemoIdentities(where.dataDirectory);
  if (known !== undefined && (await areThere(where, known))) return known;
  const made = await Promise.all(PEOPLE.map((person) => makePerson(where, person)));
  writeFileSync(`${file}.new`, JSON.stringify(made, null, 2), { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  return made;
}

async function areThere(where: Where, identities: readonly DemoIdentity[]): Promise<boolean> {
  const answers = await Promise.all(
    identities.map(({ ename }) => fetch(`${where.vaultUrl}/whois`, { method: "HEAD", headers: { "x-ename": ename } })),
  );
  return answers.every(({ status }) => status === 200);
}

async function makePerson(where: Where, person: (typeof PEOPLE)[number]): Promise<DemoIdentity> {
  const key = await createWalletKey({ exportable: true });
  const ename = await createOwner(where, key.publicKey);
  const privateKey = await key.exportJwk();
  const vault = openOwnerVault(where, { ename, key });
  const profile = { displayName: person.name, bio: person.bio, ename };
  await vault.create({ ontology: ONTOLOGY_ID.User, payload: profile, acl: ["*"] });
  for (const text of person.posts) {
    const payload = { text, authorName: person.name };
    await vault.create({ ontology: ONTOLOGY_ID.SocialMediaPost, payload, acl: ["*"] });
  }
  return { name: person.name, ename, privateKey };
}
