import { DEMO_VERIFICATION_CODE } from "@dataspace/protocol/demo-verification-code";
import { ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import type { Constellation } from "@dataspace/system/constellation";
import type { DemoIdentity } from "@dataspace/system/read-demo-identities";

type Where = Pick<Constellation, "registryUrl" | "vaultUrl">;

const JSON_HEADER = "-H 'Content-Type: application/json'";
/** Any UUID works: the entropy alone makes an eName unique. */
const NAMESPACE = "6ba7b811-9dad-11d1-80b4-00c04fd430c8";
const CREATE =
  "mutation($input: MetaEnvelopeInput!) { createMetaEnvelope(input: $input) { metaEnvelope { id } errors { message } } }";
const READ =
  "query($filter: MetaEnvelopeFilterInput) { metaEnvelopes(filter: $filter, first: 3) { edges { node { id parsed } } } }";

/**
 * Writes the command that creates a new vault with the development code. Refuses: never. Source: S1 "POST /provision".
 */
export function renderProvision({ registryUrl, vaultUrl }: Where): string {
  const entropy = `$(curl -sS ${registryUrl}/entropy | cut -d'"' -f4)`;
  const members = [
    `\\"registryEntropy\\":\\"${entropy}\\"`,
    `\\"namespace\\":\\"${NAMESPACE}\\"`,
    `\\"verificationId\\":\\"${DEMO_VERIFICATION_CODE}\\"`,
  ];
  return `curl -sS ${vaultUrl}/provision ${JSON_HEADER} -d "{${members.join(",")}}"`;
}

/**
 * Writes the commands from the creation of a record to another person who reads it: the owner writes it for one reader,
 * who reads it with a wallet token.
 *
 * In: `dataDirectory` where it is not the usual one. Out: lines. Refuses: never. Source: decisions P5, I4.
 */
export function renderSharedRecord(
  { vaultUrl }: Where,
  [owner, reader]: readonly [DemoIdentity, DemoIdentity],
  dataDirectory: string | undefined,
): readonly string[] {
  const input = {
    ontology: ONTOLOGY_ID.SocialMediaPost,
    payload: { text: `Hello ${reader.name}` },
    acl: [reader.ename],
  };
  const ask = (credential: string, body: object): string =>
    `curl -sS ${vaultUrl}/graphql -H 'X-ENAME: ${owner.ename}' ${credential}${JSON_HEADER} -d '${JSON.stringify(body)}'`;
  const settings = dataDirectory === undefined ? "" : `DS_DATA_DIR='${dataDirectory}' `;
  const token = `$(${settings}npm run -s dataspace -- token ${reader.ename} ${owner.ename})`;
  const filter = { ontologyId: ONTOLOGY_ID.SocialMediaPost };
  return [
    `  ${owner.name} writes a record that ${reader.name} may read`,
    `  ${ask("", { query: CREATE, variables: { input } })}`,
    `  ${reader.name} reads it, with a wallet token`,
    `  ${ask(`-H "Authorization: Bearer ${token}" `, { query: READ, variables: { filter } })}`,
  ];
}
