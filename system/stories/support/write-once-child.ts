// node write-once-child.ts <eName> <registry>: writes one record under a key of its own.
import { createVaultClients } from "@dataspace/vault-client/vault-clients";

const [ename = "", registryUrl = ""] = process.argv.slice(2);
const vault = createVaultClients({ registryUrl }).vault(ename);
await vault.create({ ontology: "order-v1", payload: { order: 4711 } }, { idempotencyKey: "order-4711" });
