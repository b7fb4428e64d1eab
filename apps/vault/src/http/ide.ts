import { type EName, parseEName } from "@dataspace/protocol/ename";
import { sendPage } from "@dataspace/ui/mount-ui";
import type { Ui } from "@dataspace/ui/ui";
import { refusal } from "../errors.ts";
import { openIdeFiles } from "../ide/ide-files.ts";
import { type IdePage, renderIdePage } from "../ide/ide-page.ts";
import { type OwnerFault, ownerPage } from "../ide/owner-page.ts";
import { START_SCRIPT } from "../ide/start-script.ts";
import type { FindVault } from "./addressed-request.ts";
import type { FastifyInstance, FastifyReply } from "fastify";

/** The dependencies of the IDE endpoint: whether an owner has a vault here, and the renderer of pages. */
export interface IdeDoorDeps {
  readonly findVault: FindVault;
  readonly ui: Pick<Ui, "render">;
}

const FILES_PATH = "graphiql/app/";

/**
 * GET /graphiql: a GraphQL IDE in the browser, for development only. `?ename=` names the owner; without it the page
 * asks.
 *
 * Everything it loads comes from this server, and its pages allow nothing else. Out: HTML. For an invalid eName (400),
 * or one without a vault here (404), the page says so and asks again. Its files: NOT_FOUND (404) for any other path.
 * Source: decisions V2, V20.
 */
export function mountIde(app: FastifyInstance, { findVault, ui }: IdeDoorDeps): void {
  const readIdeFile = openIdeFiles();
  const askForOwner = async (reply: FastifyReply, fault?: OwnerFault): Promise<FastifyReply> =>
    sendPage(reply, await ui.render(ownerPage(fault)));
  app.get<{ Querystring: { ename?: unknown } }>("/graphiql", async ({ query: { ename } }, reply) => {
    if (ename === undefined || ename === "") return askForOwner(reply);
    const chosen = await chooseOwner(findVault, String(ename));
    if ("owner" in chosen) return sendIde(reply, renderIdePage(chosen.owner, FILES_PATH));
    return askForOwner(reply.code(chosen.status), chosen);
  });
  app.get("/graphiql/start.js", async (_request, reply) => {
    return guarded(reply).type("text/javascript; charset=utf-8").send(START_SCRIPT);
  });
  app.get<{ Params: { "*": string } }>(`/${FILES_PATH}*`, async ({ params: { "*": path } }, reply) => {
    const file = await readIdeFile(path);
    if (file === undefined) throw refusal("NOT_FOUND", "The IDE has no such file; open it at /graphiql.");
    return guarded(reply).type(file.type).send(file.bytes);
  });
}

type Chosen = { readonly owner: EName } | (OwnerFault & { readonly status: number });

async function chooseOwner(findVault: FindVault, typed: string): Promise<Chosen> {
  let owner: EName;
  try {
    owner = parseEName(typed);
  } catch {
    return { typed, status: 400, message: "This is not an eName. Write @ and a UUID." };
  }
  if ((await findVault(owner)) !== undefined) return { owner };
  return { typed, status: 404, message: "This owner has no vault here. The registry tells where it is." };
}

function sendIde(reply: FastifyReply, { policy, html }: IdePage): FastifyReply {
  return guarded(reply).header("content-security-policy", policy).type("text/html; charset=utf-8").send(html);
}

function guarded(reply: FastifyReply): FastifyReply {
  return reply
    .header("x-content-type-options", "nosniff")
    .header("referrer-policy", "no-referrer")
    .header("cross-origin-resource-policy", "same-origin")
    .header("cache-control", "no-cache");
}
