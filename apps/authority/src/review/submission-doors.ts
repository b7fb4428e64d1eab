import { parseSubmissionText } from "@dataspace/platform-auth/release-submission";
import { formOf } from "@dataspace/service-kit/http/own-form";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { findDecidable } from "../decisions/decidable.ts";
import type { ReviewWish, SignedReviews } from "../decisions/signed-reviews.ts";
import { authorityRefusal } from "../errors.ts";
import { readId } from "../http/read-input.ts";
import { findStanding, listDecided, listOfPlatform } from "../store/submission-lists.ts";
import { findSubmission, listPending } from "../store/submission-rows.ts";
import { readDecisionForm } from "./decision-form.ts";
import { type ShowPage, toFault } from "./show-page.ts";
import { submissionListPage } from "./submission-list-page.ts";
import { type ShownSubmission, submissionPage } from "./submission-page.ts";
import { visitorOf } from "./visitor.ts";
import type { FastifyInstance } from "fastify";

/** What the pages of reviewers work with. */
export interface ReviewDoorDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly reviews: SignedReviews;
  readonly show: ShowPage;
}

type Query = { readonly Querystring: Record<string, unknown> };
type ById = { readonly Params: { readonly id: string } };

const AT = "/review/submissions";
const PAGE = 20;
const MOST_OTHERS = 10;

/** Serves the pages of submissions, and takes a decision to be signed. Refuses: UNKNOWN_SUBMISSION, BAD_REQUEST, as `SignedReviews`. */
export function mountSubmissionPages(app: FastifyInstance, deps: ReviewDoorDeps): void {
  const { database, clock, reviews, show } = deps;
  app.get<Query>(AT, async (request, reply) => {
    const { show: asked, after } = request.query;
    const which = asked === "decided" ? "decided" : "pending";
    const list = which === "pending" ? listPending : listDecided;
    const behind = after === undefined ? undefined : readId(after, "BAD_REQUEST");
    const found = await list(database, { after: behind, limit: PAGE + 1 });
    const submissions = found.slice(0, PAGE);
    const page = {
      first: behind === undefined ? undefined : `${AT}?show=${which}`,
      next: found.length > PAGE ? `${AT}?show=${which}&after=${submissions.at(-1)?.id}` : undefined,
    };
    return show(request, reply, submissionListPage({ show: which, submissions, ...page, nowMs: clock.nowMs() }));
  });
  app.get<ById>(`${AT}/:id`, async (request, reply) =>
    show(request, reply, submissionPage(visitorOf(request), await read(deps, request.params.id))),
  );
  app.post<ById>(`${AT}/:id/decision`, async (request, reply) => {
    const visitor = visitorOf(request);
    const shown = await read(deps, request.params.id);
    const form = formOf(request);
    try {
      const session = await reviews.ask(visitor, await readWish(deps, shown, form));
      return await reply.redirect(`/review/requests/${session}`, 303);
    } catch (error) {
      const fault = toFault(error);
      const isField = fault.code === "BAD_REQUEST";
      const sent = { form, fault };
      return show(request, reply.code(isField ? 422 : fault.status), submissionPage(visitor, { ...shown, sent }));
    }
  });
}

async function readWish(
  { database, clock }: ReviewDoorDeps,
  { submission, standing }: ShownSubmission,
  form: URLSearchParams,
): Promise<ReviewWish> {
  const { id, sha256, statementText } = submission;
  const statement = parseSubmissionText(statementText);
  const input = readDecisionForm(form, { statement, standing });
  // As the certifier will check it, so that nobody signs what is refused then.
  await findDecidable(database, { id, input, nowMs: clock.nowMs() }, { lock: false });
  const { platformEName: platform, version } = statement;
  return { act: "decide", subject: id, input, facts: { platform, version, submission_sha256: sha256 } };
}

async function read({ database, clock }: ReviewDoorDeps, givenId: string): Promise<ShownSubmission> {
  const id = readId(givenId, "UNKNOWN_SUBMISSION");
  const submission = await findSubmission(database, id);
  if (submission === undefined) throw authorityRefusal("UNKNOWN_SUBMISSION", "There is no submission with this id.");
  const { platformEName: platform } = parseSubmissionText(submission.statementText);
  const [standing, others] = await Promise.all([
    findStanding(database, id),
    listOfPlatform(database, { platform, except: id, limit: MOST_OTHERS }),
  ]);
  return { submission, standing, others, nowMs: clock.nowMs() };
}
