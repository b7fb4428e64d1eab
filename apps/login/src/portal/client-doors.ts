import { sendPage } from "@dataspace/ui/mount-ui";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Page } from "@dataspace/ui/page";
import type { Ui } from "@dataspace/ui/ui";
import type { ClientProblems } from "../clients/client-problems.ts";
import type { LoginClient } from "../clients/client-rows.ts";
import type { ManageClients } from "../clients/manage-clients.ts";
import { EMPTY_DRAFT } from "./client-form.ts";
import { clientListPage, newClientPage } from "./client-list-page.ts";
import { type ClientPageParts, clientPage } from "./client-page.ts";
import { CLIENT_TEXTS } from "./client-texts.ts";
import { connectionTestPage } from "./connection-test-page.ts";
import type { ConnectionTests } from "./connection-tests.ts";
import { assertOwnForm, formOf, textOf } from "./portal-form.ts";
import type { PortalSession } from "./portal-sessions.ts";
import { readClientForm, toDraft } from "./read-client-form.ts";
import { secretPage } from "./secret-page.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** What the pages and forms of clients work with. */
export interface ClientDoorsDeps {
  readonly clock: Clock;
  readonly ui: Ui;
  readonly manage: ManageClients;
  readonly problems: ClientProblems;
  readonly tests: ConnectionTests;
  readonly signedIn: (request: FastifyRequest) => PortalSession | undefined;
}

type ClientRequest = FastifyRequest<{ Params: { readonly id: string } }>;
type Act = (session: PortalSession, request: ClientRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Serves the pages and forms of clients to whoever is signed in, and leads everybody else to the sign-in.
 *
 * Refuses: FORBIDDEN for a form of another page, and as `ManageClients`. Source: S2 "Client"; decision L11; T-71.
 */
export function mountClientDoors(
  scope: FastifyInstance,
  deps: ClientDoorsDeps,
  config: { readonly issuer: string },
): void {
  const { clock, manage, problems, tests } = deps;
  const { issuer } = config;
  const { onPage, onForm, show } = createRoutes(scope, deps, config);
  const showClient = (session: PortalSession, client: LoginClient, parts: Partial<ClientPageParts> = {}): Page =>
    clientPage(session, client, {
      issuer,
      draft: toDraft(client),
      nowMs: clock.nowMs(),
      problem: problems.find(client.clientId),
      ...parts,
    });
  const own = (session: PortalSession, { params }: ClientRequest) => manage.get(session.ename, params.id);

  onPage("/portal", async (session) => clientListPage(session, await manage.list(session.ename), clock.nowMs()));
  onPage("/portal/clients/new", async (session) => newClientPage(session, EMPTY_DRAFT));
  onPage("/portal/clients/:id", async (session, request) => showClient(session, await own(session, request)));
  onPage("/portal/clients/:id/test", async (session, request) => {
    const client = await own(session, request);
    const test = await tests.look(session, client.clientId);
    return test === undefined ? showClient(session, client) : connectionTestPage(session, client, test);
  });
  onForm("/portal/clients", async (session, request, reply) => {
    const { draft, reading, logo } = await readClientForm(formOf(request));
    if (!("input" in reading)) return show(reply, newClientPage(session, draft), 400);
    const made = await manage.create(session.ename, reading.input, logo);
    return show(reply, secretPage(session, made, issuer), 201);
  });
  onForm("/portal/clients/:id", async (session, request, reply) => {
    const client = await own(session, request);
    const { draft, reading, logo } = await readClientForm(formOf(request));
    if (!("input" in reading)) return show(reply, showClient(session, client, { draft }), 400);
    await manage.change(session.ename, client.clientId, { ...reading.input, ...(logo === undefined ? {} : { logo }) });
    return reply.redirect(`/portal/clients/${client.clientId}`, 303);
  });
  onForm("/portal/clients/:id/remove-logo", async (session, { params }, reply) => {
    await manage.change(session.ename, params.id, { logo: null });
    return reply.redirect(`/portal/clients/${encodeURIComponent(params.id)}`, 303);
  });
  onForm("/portal/clients/:id/rotate", async (session, { params }, reply) =>
    show(reply, secretPage(session, await manage.rotateSecret(session.ename, params.id), issuer)),
  );
  onForm("/portal/clients/:id/end-previous-secret", async (session, { params }, reply) => {
    await manage.endPreviousSecret(session.ename, params.id);
    return reply.redirect(`/portal/clients/${encodeURIComponent(params.id)}`, 303);
  });
  onForm("/portal/clients/:id/test", async (session, request, reply) => {
    const client = await own(session, request);
    await tests.start(session, client, textOf(formOf(request), "secret").trim());
    return reply.redirect(`/portal/clients/${client.clientId}/test`, 303);
  });
  onForm("/portal/clients/:id/delete", async (session, request, reply) => {
    const client = await own(session, request);
    if (textOf(formOf(request), "confirmation").trim() !== client.name) {
      const deleteFault = CLIENT_TEXTS.delete.wrongName;
      return show(reply, showClient(session, client, { deleteFault }), 400);
    }
    await manage.remove(session.ename, client.clientId);
    return reply.redirect("/portal", 303);
  });
}

function createRoutes(
  scope: FastifyInstance,
  { ui, signedIn }: Pick<ClientDoorsDeps, "ui" | "signedIn">,
  { issuer }: { readonly issuer: string },
) {
  const toSignIn = (reply: FastifyReply) => reply.redirect("/portal/login", 303);
  const show = async (reply: FastifyReply, page: Page, status = 200): Promise<FastifyReply> =>
    sendPage(reply.code(status), await ui.render(page));
  return {
    show,
    onPage: (url: string, write: (session: PortalSession, request: ClientRequest) => Promise<Page>) =>
      scope.get(url, async (request: ClientRequest, reply) => {
        const session = signedIn(request);
        return session === undefined ? toSignIn(reply) : show(reply, await write(session, request));
      }),
    onForm: (url: string, act: Act) =>
      scope.post(url, async (request: ClientRequest, reply) => {
        const session = signedIn(request);
        if (session === undefined) return toSignIn(reply);
        assertOwnForm(request, session, issuer);
        return act(session, request, reply);
      }),
  };
}
