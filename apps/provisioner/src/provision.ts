import { createHash, randomUUID } from "node:crypto";
import { DEMO_VERIFICATION_CODE } from "@dataspace/protocol/demo-verification-code";
import type { EName } from "@dataspace/protocol/ename";
import type { InTurn } from "@dataspace/service-kit/postgres/in-turn";
import { type SpentEntropy, spendEntropy } from "./entropy-rows.ts";
import { provisionerRefusal } from "./errors.ts";
import { type ProvisionRequest, readProvisionRequest } from "./provision-request.ts";
import type { ProvisionerConfig, ProvisionerDeps } from "./provisioner.ts";
import { registerVault } from "./registration.ts";
import { useVerificationCode } from "./verification-codes.ts";

/**
 * Creates a vault for a new eName. One transaction spends entropy and verification code and writes the vault and its
 * first key. The registry is informed afterwards. Until the registry knows the vault, the same request may be repeated.
 *
 * In: `body` as sent. Out: the new eName and the base address of its vault.
 * Refuses: what `readProvisionRequest` refuses, then INVALID_VERIFICATION, VERIFICATION_USED, ENTROPY_SPENT,
 * ENAME_TAKEN, REGISTRY_UNAVAILABLE.
 * Source: S1 "HTTP endpoints" (POST /provision), "Limits" (one vault per eName); decision V17.
 */
export async function provision(
  deps: ProvisionerDeps & { readonly inTurn: InTurn },
  config: ProvisionerConfig,
  body: unknown,
): Promise<{ readonly dsid: EName; readonly uri: string }> {
  const request = await readProvisionRequest({ registryKeys: deps.registry.keys, clock: deps.clock }, body);
  const vault = await deps.inTurn(request.entropy, async () => {
    const made = await makeVaultOnce(deps, config, request);
    await registerVault(deps, made);
    return made;
  });
  if (request.publicKey !== undefined) deps.warmCertificate?.(vault.owner);
  return { dsid: vault.owner, uri: vault.uri };
}

async function makeVaultOnce(
  deps: ProvisionerDeps,
  config: ProvisionerConfig,
  request: ProvisionRequest,
): Promise<SpentEntropy> {
  const nowMs = deps.clock.nowMs();
  const row = requestToRow(config, request);
  return deps.database.transaction(async (transaction) => {
    if (!(config.demoCode && request.verificationId === DEMO_VERIFICATION_CODE)) {
      const { entropyHash } = row;
      await useVerificationCode(transaction, { code: request.verificationId, entropyHash, nowMs });
    }
    const earlier = await spendEntropy(transaction, row, nowMs);
    if (earlier !== undefined) return assertRepetition(earlier, row);
    const { owner, vaultId } = row;
    const { publicKey } = request;
    await deps.createVault(transaction, { owner, vaultId, nowMs, ...(publicKey === undefined ? {} : { publicKey }) });
    return { ...row, registeredAtMs: null };
  });
}

function requestToRow(config: ProvisionerConfig, request: ProvisionRequest): Omit<SpentEntropy, "registeredAtMs"> {
  const { owner, entropy, verificationId, publicKey } = request;
  return {
    entropyHash: sha256(entropy),
    owner,
    vaultId: config.vaultId ?? `@${randomUUID()}`,
    uri: config.publicVaultUrl,
    requestHash: sha256(JSON.stringify([owner, verificationId, publicKey?.text ?? null])),
  };
}

// Thrown inside the transaction, so that the code sent with a spent entropy stays unused.
function assertRepetition(earlier: SpentEntropy, row: Omit<SpentEntropy, "registeredAtMs">): SpentEntropy {
  if (earlier.registeredAtMs === null && earlier.requestHash.equals(row.requestHash)) return earlier;
  throw provisionerRefusal(
    "ENTROPY_SPENT",
    `registryEntropy gave ${earlier.owner} before; get a new one from GET /entropy for another vault.`,
    earlier.owner,
  );
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
