import { startVault, type TestVault } from "../support/start-vault.ts";
import { startVaultBeside } from "../support/start-vault-beside.ts";
import { type Fleet, PLATFORM } from "./stream.ts";

/** Low, so that lists without pages run over it. */
const UNPAGED_CAP = 20;

/**
 * Starts the vaults of a model run on one database. Enforced ones run in this process or in several others. One more
 * runs in header mode, and one with platform tokens that only read.
 */
export async function startModelFleet({
  processes,
}: {
  readonly processes: number;
}): Promise<{ readonly fleet: Fleet; readonly vault: TestVault } & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const enforced = { auth: "enforced", unpagedCap: UNPAGED_CAP } as const;
  const vault = stack.use(await startVault(enforced));
  const header = stack.use(await startVault({ ...enforced, auth: "header" }, vault));
  const readOnly = stack.use(await startVault({ ...enforced, legacyTokens: "read-only" }, vault));
  const apart = [];
  for (let n = 0; n < processes; n += 1) apart.push(stack.use(await startVaultBeside(vault, enforced)));
  const iat = Math.floor(Date.now() / 1000);
  const token = vault.signAsRegistry({ platform: PLATFORM, iat, exp: iat + 86_400 });
  const owned = stack.move();
  return {
    vault,
    fleet: {
      enforced: apart.length > 0 ? apart : [vault],
      header: [header],
      readOnly: [readOnly],
      platformToken: () => token,
      unpagedCap: UNPAGED_CAP,
      policies: true,
      met: new Map(),
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
