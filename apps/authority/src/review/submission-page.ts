import { parseSubmissionText } from "@dataspace/platform-auth/release-submission";
import { copyable, copyableIdentifier } from "@dataspace/ui/copyable";
import { moment } from "@dataspace/ui/moment";
import { notice, type StateKind, stateMark } from "@dataspace/ui/state-mark";
import { facts, table } from "@dataspace/ui/table";
import { html } from "hono/html";
import type { ReleaseSubmission } from "@dataspace/platform-auth/release-submission";
import type { Html } from "@dataspace/ui/html";
import { isRenewable } from "../decisions/decidable.ts";
import type { SubmissionStanding } from "../store/submission-lists.ts";
import type { StoredSubmission } from "../submissions/stored-submission.ts";
import { type DecisionForms, decisionForms, formNotice } from "./decision-form.ts";
import { crumbs, type Fault, type ReviewPage } from "./frame.ts";
import { rawText, shownText, toPlainText } from "./shown-text.ts";
import { domainChips, submissionMark } from "./submission-list-page.ts";
import type { Visitor } from "./visits.ts";

/** One submission, the other newest submissions of its platform, and the form as it was sent, if it was. */
export interface ShownSubmission {
  readonly submission: StoredSubmission;
  readonly standing: SubmissionStanding;
  readonly others: readonly StoredSubmission[];
  readonly sent?: { readonly form: URLSearchParams; readonly fault: Fault };
  readonly nowMs: number;
}

const WORDS = {
  release: "Release",
  platform: "Platform",
  platformId: "Platform's eName",
  version: "Version",
  tag: "Release tag",
  author: "Author",
  repository: "Source repository",
  repositoryId: "Repository number",
  commit: "Source commit",
  hash: "Hash of the signed text",
  deployers: "May run it besides the author",
  arrived: "Arrived",
  access: "Access asked for",
  accessText:
    "With a certificate for these domains, vaults give deployments of this release access to the records below, as far as the policy of each owner allows.",
  noAccess: "The release asks for no domain: a certificate gives it access to no record.",
  checks: "Checks",
  others: "Other submissions of this platform",
  othersCaption: "The newest ones first",
  noOthers: "This is the first submission of this platform.",
  othersColumns: ["Version", "Author", "Arrived", "State"],
  sameAuthor: "same author",
  otherAuthor: "another author",
  decision: "Decision",
  granted: "Granted",
  denied: "Denied",
  by: "by",
  reason: "Reason",
  certificate: "To its certificate",
  signedText: "The signed text",
} as const;

const DOMAIN_WORDS: Readonly<Record<string, string>> = {
  identity: "profiles",
  social: "posts, bookmarks, activity in communities, references",
  communication: "chats and messages",
  governance: "polls, votes, groups and memberships",
  finance: "currencies, accounts and ledgers",
  files: "files and signatures on them",
  work: "tasks, projects, companies",
  calendar: "events and availability",
};
const OTHER_DOMAIN = "what vaults' operators put into this domain";

const PASSED: readonly (readonly [StateKind, string, string])[] = [
  ["ok", "Signature", "When it arrived, the registry certified the author's key, and that key signed the text."],
  ["ok", "Freshness", "The author signed the text within 10 minutes before it arrived, and used its nonce once."],
];
const AUTHOR_CHECKS: Readonly<Record<SubmissionStanding["author"], readonly [StateKind, string, string]>> = {
  platform: ["ok", "Author", "The platform itself signed the submission."],
  same: ["ok", "Author", "This author has certified releases of the platform that are not revoked."],
  first: [
    "warn",
    "First use",
    "The platform has no certified release. A grant makes this author the author of its later releases, so verify who the author is.",
  ],
  foreign: ["bad", "Another author", "Another author has certified releases of this platform. It can only be denied."],
};
const VERSION_CHECKS = {
  free: ["ok", "Version", "No other submission of this version is granted."],
  taken: ["bad", "Version", "Another submission of this version is granted. Ask the author for a new version."],
} as const;

/** Renders the page of one submission, with the forms that decide about it. Refuses: never. Source: decisions A1, A6. */
export function submissionPage(visitor: Visitor, shown: ShownSubmission): ReviewPage {
  const { submission, standing, nowMs, sent } = shown;
  const statement = parseSubmissionText(submission.statementText);
  const title = `${toPlainText(statement.platformName)} ${statement.version}`;
  const isOpen = submission.decision === null;
  const isDecidable = isOpen || (submission.decision.decision === "granted" && isRenewable(submission, nowMs));
  const forms: DecisionForms = { id: submission.id, statement, standing, isOpen, ...sent };
  return {
    title,
    place: "submissions",
    main: html`${crumbs("submissions")}
<div class="head"><div class="stack"><h1><bdi>${title}</bdi></h1>${submissionMark(submission, nowMs)}</div></div>
${sent && formNotice(sent.fault)}
${submission.decision && decisionNotice(submission, nowMs)}
<div class="columns">
<section class="card" aria-labelledby="release"><h2 id="release">${WORDS.release}</h2>${releaseFacts(submission, statement, nowMs)}</section>
<div class="stack"><section class="card" aria-labelledby="access"><h2 id="access">${WORDS.access}</h2>${access(statement)}</section>
<section class="card" aria-labelledby="checks"><h2 id="checks">${WORDS.checks}</h2>${checks(standing)}</section></div>
</div>
${isDecidable && decisionForms(visitor, forms)}
<section class="stack" aria-labelledby="others"><h2 id="others">${WORDS.others}</h2>${others(shown, statement)}</section>
<details><summary>${WORDS.signedText}</summary>${rawText(submission.statementText)}</details>`,
  };
}

function decisionNotice({ decision, certificate }: StoredSubmission, nowMs: number): Html | "" {
  if (decision === null) return "";
  const isGranted = decision.decision === "granted";
  return notice(
    isGranted ? "ok" : "plain",
    html`<p><strong>${WORDS[decision.decision]}</strong> ${moment(decision.decidedAt, nowMs)} ${WORDS.by} <span class="mono">${decision.decidedBy}</span></p>
${decision.reason !== null && html`<p>${WORDS.reason}: ${shownReason(decision.reason)}</p>`}
${certificate !== null && html`<p><a href="/review/certificates/${certificate.jti}">${WORDS.certificate}</a></p>`}`,
  );
}

/** Shows a reviewer's reason as a whole. Refuses: never. */
export function shownReason(reason: string): Html {
  return html`<bdi>${toPlainText(reason, reason.length)}</bdi>`;
}

function releaseFacts({ sha256, receivedAt }: StoredSubmission, statement: ReleaseSubmission, nowMs: number): Html {
  const { deployers = [] } = statement;
  return facts([
    [WORDS.platform, shownText(statement.platformName)],
    [WORDS.platformId, copyableIdentifier(statement.platformEName, "the platform's eName")],
    [WORDS.version, html`<span class="mono">${statement.version}</span>`],
    [WORDS.tag, shownText(statement.releaseTag)],
    [WORDS.author, copyableIdentifier(statement.signerEName, "the author's eName")],
    [WORDS.repository, shownText(statement.repository)],
    [WORDS.repositoryId, statement.repositoryId],
    [WORDS.commit, copyable(toPlainText(statement.manifestCommitId), "the source commit")],
    [WORDS.hash, copyable(sha256, "the hash")],
    ...(deployers.length === 0
      ? []
      : [[WORDS.deployers, html`${deployers.map((ename) => html`<div class="mono small">${ename}</div>`)}`] as const]),
    [WORDS.arrived, moment(receivedAt, nowMs)],
  ]);
}

function access({ domains }: ReleaseSubmission): Html {
  if (domains.length === 0) return html`<p>${WORDS.noAccess}</p>`;
  return html`<p>${WORDS.accessText}</p>${facts(
    domains.map((domain) => [
      domain,
      Object.hasOwn(DOMAIN_WORDS, domain) ? (DOMAIN_WORDS[domain] ?? "") : OTHER_DOMAIN,
    ]),
  )}`;
}

function checks({ author, isVersionTaken }: SubmissionStanding): Html {
  const all = [...PASSED, VERSION_CHECKS[isVersionTaken ? "taken" : "free"], AUTHOR_CHECKS[author]];
  return html`<ul class="checks">${all.map(([kind, word, text]) => html`<li>${stateMark(kind, word)}<span class="muted">${text}</span></li>`)}</ul>`;
}

function others({ others: found, nowMs }: ShownSubmission, { signerEName }: ReleaseSubmission): Html {
  if (found.length === 0) return html`<p class="muted">${WORDS.noOthers}</p>`;
  return table({
    caption: WORDS.othersCaption,
    columns: WORDS.othersColumns.map((title) => ({ title })),
    rows: found.map((one) => {
      const { version, signerEName: author, domains } = parseSubmissionText(one.statementText);
      return [
        html`<a href="/review/submissions/${one.id}">${version}</a> ${domainChips(domains)}`,
        html`${copyableIdentifier(author, "the author's eName")} <span class="muted small">${author === signerEName ? WORDS.sameAuthor : WORDS.otherAuthor}</span>`,
        moment(one.receivedAt, nowMs),
        submissionMark(one, nowMs),
      ];
    }),
  });
}
