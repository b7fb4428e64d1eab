import { type EName, parseEName } from "@dataspace/protocol/ename";
import { isOwnPage } from "@dataspace/service-kit/http/own-page";
import { sendPage } from "@dataspace/ui/mount-ui";
import { z } from "zod";
import type { Ui } from "@dataspace/ui/ui";
import { refusal } from "../errors.ts";
import { renderIdeFrame } from "../ide/ide-frame.ts";
import { idePage } from "../ide/ide-page.ts";
import type { IdePeople } from "../ide/ide-people.ts";
import { chooseSigner, type IdeSession, sessionQuery } from "../ide/ide-session.ts";
import { type OwnerFault, ownerPage } from "../ide/owner-page.ts";
import type { FindVault } from "./addressed-request.ts";
import { IDE_FILES_PATH } from "./ide-files-door.ts";
import { setIdeHeaders } from "./ide-headers.ts";
import type { FastifyInstance, FastifyReply } from "fastify";

/** The dependencies of the IDE: whether an owner has a vault here, the people of the stack, and the renderer of pages. */
export interface IdeDoorDeps {
  readonly findVault: FindVault;
  readonly idePeople: IdePeople | undefined;
  readonly ui: Pick<Ui, "render" | "files">;
}

type Session = { readonly query: { readonly ename?: unknown; readonly as?: unknown } };

const tokenRequest = z.strictObject({ owner: z.string().max(64), person: z.string().max(64) });

/**
 * `GET /graphiql`: a GraphQL IDE in the browser, for development only. `?ename=` names the owner, `?as=` the demo person
 * who signs. Without an owner the first demo person's vault opens; where there is none, the page asks.
 * `POST /graphiql/token` issues a demo person's token to the IDE itself.
 *
 * Everything it loads comes from this server, and its pages allow nothing else. Out: HTML. For an invalid eName (400),
 * or one without a vault here (404), the page says so and asks again. Refuses: NOT_FOUND (404) for a signer or a token of
 * nobody in this stack, and to anybody but the IDE. In: `trusts`, whether a caller without a token is taken for the owner.
 * Source: decisions V2, V20, P5.
 */
export function mountIde(
  app: FastifyInstance,
  { findVault, idePeople, ui }: IdeDoorDeps,
  { trusts }: { readonly trusts: boolean },
): void {
  const font = [...ui.files.keys()].find((address) => address.endsWith(".woff2")) ?? "";
  const listPeople = () => idePeople?.list() ?? [];
  const askForOwner = async (reply: FastifyReply, fault?: OwnerFault): Promise<FastifyReply> =>
    sendPage(reply, await ui.render(ownerPage(fault)));
  const openSession = async ({ query: { ename, as } }: Session): Promise<IdeSession | Fault> => {
    const chosen = await chooseOwner(findVault, String(ename));
    if ("status" in chosen) return chosen;
    const signer = chooseSigner(as === undefined ? undefined : String(as), chosen.owner, listPeople());
    if (signer === "unknown")
      throw refusal("NOT_FOUND", "Nobody in this stack has the eName in `as`. Choose a person.");
    return { owner: chosen.owner, signer };
  };
  app.get<{ Querystring: Session["query"] }>("/graphiql", async (request, reply) => {
    const { ename } = request.query;
    const people = listPeople();
    const [first] = people;
    if (ename === undefined && first !== undefined) {
      return reply.redirect(`/graphiql?${sessionQuery({ owner: first.ename, signer: first.ename })}`);
    }
    if (ename === undefined || ename === "") return askForOwner(reply);
    const session = await openSession(request);
    if ("status" in session) return askForOwner(reply.code(session.status), session);
    return sendPage(reply, await ui.render(idePage({ session, people, trusts })), { frames: "own" });
  });
  app.get<{ Querystring: Session["query"] }>("/graphiql/frame", async (request, reply) => {
    const session = await openSession(request);
    if ("status" in session) throw refusal("NOT_FOUND", session.message);
    const { policy, html } = renderIdeFrame(session, { files: `/${IDE_FILES_PATH}`, font });
    return setIdeHeaders(reply).header("content-security-policy", policy).type("text/html; charset=utf-8").send(html);
  });
  app.post("/graphiql/token", async (request, reply) => {
    const asked = tokenRequest.safeParse(request.body);
    if (!isOwnPage(request) || !asked.success) throw noToken();
    const token = await idePeople?.issueToken(readEName(asked.data.person), readEName(asked.data.owner));
    if (token === undefined) throw noToken();
    return setIdeHeaders(reply).header("cache-control", "no-store").send({ token });
  });
}

type Fault = OwnerFault & { readonly status: number };

async function chooseOwner(findVault: FindVault, typed: string): Promise<{ readonly owner: EName } | Fault> {
  let owner: EName;
  try {
    owner = parseEName(typed);
  } catch {
    return { typed, status: 400, message: "This is not an eName. Write @ and a UUID." };
  }
  if ((await findVault(owner)) !== undefined) return { owner };
  return { typed, status: 404, message: "This owner has no vault here. The registry tells where it is." };
}

function readEName(text: string): EName {
  try {
    return parseEName(text);
  } catch {
    throw noToken();
  }
}

function noToken(): Error {
  return refusal(
    "NOT_FOUND",
    "Only the IDE gets tokens here, on this machine and for its demo people. Open /graphiql.",
  );
}
