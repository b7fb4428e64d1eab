import { parseSubmissionText } from "@dataspace/platform-auth/release-submission";
import { copyableIdentifier } from "@dataspace/ui/copyable";
import { emptyState } from "@dataspace/ui/empty-state";
import { moment } from "@dataspace/ui/moment";
import { chip, type StateKind, stateMark } from "@dataspace/ui/state-mark";
import { table } from "@dataspace/ui/table";
import { tabLinks } from "@dataspace/ui/tabs";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { StoredSubmission } from "../submissions/stored-submission.ts";
import { pageLinks, type ReviewPage } from "./frame.ts";
import { shownText } from "./shown-text.ts";

/** A page of submissions: those that wait, or those that are decided. */
export interface ShownSubmissions {
  readonly show: "pending" | "decided";
  readonly submissions: readonly StoredSubmission[];
  /** The addresses of the first and of the next page, where there are such. */
  readonly first: string | undefined;
  readonly next: string | undefined;
  readonly nowMs: number;
}

const WORDS = {
  title: "Submissions",
  lead: "Releases that authors ask this authority to certify.",
  tabs: "Which submissions",
  pending: "Pending",
  decided: "Decided",
  captions: {
    pending: "Pending submissions, the oldest first",
    decided: "Decided submissions, the newest decision first",
  },
  platform: "Platform",
  version: "Version",
  author: "Author",
  age: { pending: "Arrived", decided: "Decided" },
  domains: "Domains",
  state: "State",
  noDomains: "none",
  emptyTitles: { pending: "Nothing waits for a decision", decided: "Nothing is decided yet" },
  emptyTexts: {
    pending: "A submission appears here when an author sends one.",
    decided: "A submission appears here when a reviewer has granted or denied it.",
  },
} as const;

/** Renders the list of submissions. Refuses: never. Source: decision A6. */
export function submissionListPage(shown: ShownSubmissions): ReviewPage {
  const { show, submissions } = shown;
  return {
    title: WORDS.title,
    place: "submissions",
    main: html`<div><h1>${WORDS.title}</h1><p class="lead">${WORDS.lead}</p></div>
${tabLinks(
  WORDS.tabs,
  (["pending", "decided"] as const).map((name) => ({
    href: `/review/submissions${name === "pending" ? "" : `?show=${name}`}`,
    text: WORDS[name],
    current: name === show,
  })),
)}
${submissions.length === 0 ? nothing(show) : list(shown)}${pageLinks(shown)}`,
  };
}

function nothing(show: ShownSubmissions["show"]): Html {
  const illustration = show === "pending" ? "done" : "records";
  return emptyState({ illustration, title: WORDS.emptyTitles[show], text: WORDS.emptyTexts[show] });
}

function list({ show, submissions, nowMs }: ShownSubmissions): Html {
  return table({
    caption: WORDS.captions[show],
    columns: [
      { title: WORDS.platform, kind: "long" },
      { title: WORDS.version },
      { title: WORDS.author },
      { title: WORDS.domains, kind: "long" },
      { title: WORDS.age[show] },
      ...(show === "decided" ? [{ title: WORDS.state }] : []),
    ],
    rows: submissions.map((submission) => {
      const { platformName, version, signerEName, domains } = parseSubmissionText(submission.statementText);
      return [
        html`<a href="/review/submissions/${submission.id}">${shownText(platformName)}</a>`,
        html`<span class="mono">${version}</span>`,
        copyableIdentifier(signerEName, "the author's eName"),
        domainChips(domains),
        moment(submission.decision?.decidedAt ?? submission.receivedAt, nowMs),
        ...(show === "decided" ? [submissionMark(submission, nowMs)] : []),
      ];
    }),
  });
}

/** Shows domains as chips. Refuses: never. */
export function domainChips(domains: readonly string[]): Html {
  if (domains.length === 0) return html`<span class="muted">${WORDS.noDomains}</span>`;
  return html`<span class="row">${domains.map((domain) => chip("plain", domain))}</span>`;
}

const MARKS: Readonly<Record<"pending" | "denied" | "granted" | "revoked" | "expired", readonly [StateKind, string]>> =
  {
    pending: ["warn", "Pending"],
    denied: ["bad", "Denied"],
    granted: ["ok", "Granted"],
    revoked: ["off", "Revoked"],
    expired: ["off", "Expired"],
  };

/** Shows what became of a submission, in one word. Refuses: never. */
export function submissionMark({ decision, certificate }: StoredSubmission, nowMs: number): Html {
  const isExpired = certificate !== null && Date.parse(certificate.expiresAt) <= nowMs;
  const ended = certificate?.isRevoked ? "revoked" : isExpired ? "expired" : undefined;
  return stateMark(...MARKS[ended ?? decision?.decision ?? "pending"]);
}
