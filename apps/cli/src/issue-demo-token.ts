import { type EName, parseEName } from "@dataspace/protocol/ename";
import { systemClock } from "@dataspace/service-kit/clock";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { findDataDirectory } from "@dataspace/system/checkout";
import { type DemoIdentity, readDemoIdentities } from "@dataspace/system/read-demo-identities";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { importWalletKey } from "@dataspace/wallet/wallet-key";

type Environment = Readonly<Record<string, string | undefined>>;

/** Lists the demo people of the data directory. Refuses: StartupError 78 before the first `npm start`. Source: decision P5. */
export function listDemoPeople(env: Environment): readonly DemoIdentity[] {
  const directory = findDataDirectory(env);
  const people = readDemoIdentities(directory);
  if (people === undefined) throw new StartupError(`There are no demo people in ${directory}. Run npm start first.`);
  return people;
}

/**
 * Issues a wallet token with the key of a demo person, which the development stack stores in its data directory.
 *
 * Out: the token's text. Refuses: StartupError 78 for text that is not an eName, and for an eName that is not a demo
 * person's.
 * Source: decisions I4, P5.
 */
export async function issueDemoToken(
  env: Environment,
  call: { readonly person: string; readonly owner: string },
): Promise<string> {
  const [person, owner] = [readEName(call.person), readEName(call.owner)];
  const identity = listDemoPeople(env).find(({ ename }) => ename === person);
  if (identity === undefined) {
    throw new StartupError(`${person} is not a demo person here. npm run dataspace -- people lists them.`);
  }
  const key = await importWalletKey(identity.privateKey);
  return issueWalletToken({ key, clock: systemClock }, { ename: person, audience: owner });
}

function readEName(text: string): EName {
  try {
    return parseEName(text);
  } catch (error) {
    throw new StartupError((error as Error).message);
  }
}
