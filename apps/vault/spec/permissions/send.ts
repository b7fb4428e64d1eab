import { systemClock } from "@dataspace/service-kit/clock";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import type { EName } from "@dataspace/protocol/ename";
import type { Outcome } from "../model/answers.ts";
import { askOperations } from "../model/ask-operations.ts";
import type { Operation } from "../model/operation.ts";
import { type Answer, ask, askGraphQL } from "../support/ask.ts";
import { BINDING as DOCUMENTS } from "../support/binding-documents.ts";
import { download, locate, sendUpload } from "../support/file-requests.ts";
import type { Act, Of, Request, ServerName } from "./act.ts";
import type { Caller, Party, World } from "./world.ts";

/** The servers, and how a legacy token for a platform name is made. */
export interface Fleet {
  readonly servers: Readonly<Record<ServerName, { readonly url: string }>>;
  readonly legacyToken: (platform: string) => string;
}

/** The name of every file that is uploaded. */
export const FILENAME = "upload.txt";
const SERVICE = "Bearer service-token-of-this-test-0123456789";

/** Sends one request and gives what it was answered with. */
export async function send(fleet: Fleet, world: World, request: Request): Promise<Outcome> {
  const { act, party, server } = request;
  const at = fleet.servers[server];
  const headers = await headersOf(fleet, world, request);
  const asked = (query: string, variables: object) => askGraphQL(at, party.ename, query, variables, headers);
  switch (act.do) {
    case "upload": {
      const content = Buffer.from(act.content).toString("base64");
      return firstField(await sendUpload(at, party.ename, { ...act.input, filename: FILENAME, content }, headers));
    }
    case "file":
      return fetchFile(at, { owner: party.ename, id: act.id, headers });
    case "bind":
      return firstField(await asked(DOCUMENTS.create as string, { input: act.input }));
    case "sign":
      return firstField(
        await asked(DOCUMENTS.sign as string, { input: { bindingDocumentId: act.id, signature: act.signature } }),
      );
    case "bindings":
      return firstField(await asked(DOCUMENTS.list as string, { first: 100 }));
    case "addKey":
    case "removeKey":
      return sendKey(at, { party, act, headers });
    default: {
      const operations = [act as Operation];
      const [outcome] = await askOperations(at, { owner: party.ename, operations, headers, policies: false });
      return outcome as Outcome;
    }
  }
}

/** The headers that say who asks. */
async function headersOf(
  fleet: Fleet,
  world: World,
  { party, caller, act }: Pick<Request, "party" | "caller"> & { readonly act?: Act },
): Promise<Record<string, string>> {
  const headers: Record<string, string> = {};
  if (caller.behalf !== null) headers["x-on-behalf-of"] = caller.behalf;
  if (act?.do === "addKey" && act.asService) headers["authorization"] = SERVICE;
  else if (caller.kind === "legacy")
    headers["authorization"] = `Bearer ${fleet.legacyToken(caller.platform as string)}`;
  else if (caller.kind === "person" && caller.bearer)
    headers["authorization"] = `Bearer ${await walletToken(world, caller, party)}`;
  return headers;
}

/** A fresh wallet token of a person for a vault. */
export function walletToken(world: World, { ename }: Caller, { ename: audience }: Party): Promise<string> {
  const key = world.parties.get(ename as string)?.keys.at(-1);
  if (key === undefined) throw new Error("a caller without a key has no wallet token");
  return issueWalletToken({ key, clock: systemClock }, { ename: ename as EName, audience });
}

function firstField({ status, body }: Answer): Outcome {
  if (status !== 200) throw new Error(`HTTP ${status}: ${JSON.stringify(body)}`);
  const data = body.data === undefined || body.data === null ? undefined : Object.values(body.data)[0];
  return { data, code: body.errors?.[0]?.extensions.code };
}

async function fetchFile(
  at: { readonly url: string },
  { owner, id, headers }: { readonly owner: string; readonly id: string; readonly headers: Record<string, string> },
): Promise<Outcome> {
  const { status, location, text } = await locate(at, owner, id, headers);
  if (status !== 302) return { data: undefined, code: JSON.parse(text).error.code };
  const { bytes } = await download(new URL(location, at.url).href);
  return { data: bytes.toString(), code: undefined };
}

async function sendKey(
  at: { readonly url: string },
  { party, act, headers }: { readonly party: Party; readonly act: Act; readonly headers: Record<string, string> },
): Promise<Outcome> {
  const { do: name, key } = act as Of<"addKey" | "removeKey">;
  const { status, body } = await ask(at, "/public-key", {
    method: name === "addKey" ? "PATCH" : "DELETE",
    headers: { ...headers, "x-ename": party.ename, "content-type": "application/json" },
    body: JSON.stringify({ publicKey: key.publicKey }),
  });
  return status === 200 ? { data: body ?? {}, code: undefined } : { data: undefined, code: body.error.code };
}
