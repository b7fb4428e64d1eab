import { parseCompactJws } from "@dataspace/protocol/compact-jws";
import { copyable, copyableBlock, copyableIdentifier } from "@dataspace/ui/copyable";
import { emptyState } from "@dataspace/ui/empty-state";
import { field } from "@dataspace/ui/field";
import { moment } from "@dataspace/ui/moment";
import { chip, notice, type StateKind, stateMark } from "@dataspace/ui/state-mark";
import { facts, table } from "@dataspace/ui/table";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { ListedCertificate } from "../store/certificate-lists.ts";
import { LIST_SIZE } from "../store/certificate-rows.ts";
import { LONGEST_REASON } from "./decision-form.ts";
import { crumbs, type Fault, pageLinks, type ReviewPage, tokenField } from "./frame.ts";
import { shownText } from "./shown-text.ts";
import { domainChips } from "./submission-list-page.ts";
import { shownReason } from "./submission-page.ts";
import type { Visitor } from "./visits.ts";

/** A page of certificates, with the addresses of the first and of the next page, where there are such. */
export interface ShownCertificates {
  readonly certificates: readonly ListedCertificate[];
  readonly first: string | undefined;
  readonly next: string | undefined;
  readonly nowMs: number;
}

/** One certificate, and the form as it was sent, if it was. */
export interface ShownCertificate {
  readonly certificate: ListedCertificate;
  readonly sent?: { readonly form: URLSearchParams; readonly fault: Fault };
  readonly nowMs: number;
}

const WORDS = {
  title: "Certificates",
  lead: "What this authority has issued, the newest first.",
  platform: "Platform",
  platformId: "Platform's eName",
  version: "Version",
  level: "Level",
  domains: "Domains",
  ends: "Ends",
  state: "State",
  issued: "Issued",
  reviewer: "Reviewer",
  author: "Author",
  id: "Certificate's id",
  list: "Status list",
  emptyTitle: "No certificate yet",
  emptyText: "A certificate appears here when a reviewer has granted a submission.",
  about: "About",
  submission: "To its submission",
  raw: "The certificate, a JWT",
  revoke: "Revoke",
  revokeText:
    "Vaults refuse a revoked certificate at every handshake and in sessions that are open. A revocation cannot be undone.",
  reason: "Reason",
  reasonHint: "It is public with the revocation.",
  sign: "Continue to sign",
  revoked: "Revoked",
  by: "by",
  nothingDone: "Nothing is revoked: see what is marked below.",
} as const;
const MARKS: Readonly<Record<"force" | "expired" | "revoked", readonly [StateKind, string]>> = {
  force: ["ok", "In force"],
  expired: ["off", "Expired"],
  revoked: ["bad", "Revoked"],
};

/** Renders the list of certificates. Refuses: never. Source: decision A6. */
export function certificateListPage({ certificates, nowMs, ...pages }: ShownCertificates): ReviewPage {
  const head = html`<div><h1>${WORDS.title}</h1><p class="lead">${WORDS.lead}</p></div>`;
  const list =
    certificates.length === 0
      ? emptyState({ illustration: "records", title: WORDS.emptyTitle, text: WORDS.emptyText })
      : table({
          caption: WORDS.title,
          columns: [
            { title: WORDS.platform, kind: "long" },
            ...[WORDS.version, WORDS.level].map((title) => ({ title })),
            { title: WORDS.domains, kind: "long" },
            ...[WORDS.ends, WORDS.state].map((title) => ({ title })),
          ],
          rows: certificates.map((certificate) => {
            const { platformName, level, domains } = readCertificate(certificate);
            return [
              html`<a href="/review/certificates/${certificate.jti}">${shownText(platformName)}</a>`,
              html`<span class="mono">${certificate.version}</span>`,
              chip("plain", level),
              domainChips(domains),
              moment(certificate.expiresAt, nowMs),
              certificateMark(certificate, nowMs),
            ];
          }),
        });
  return { title: WORDS.title, place: "certificates", main: html`${head}${list}${pageLinks(pages)}` };
}

/** Renders the page of one certificate, with the form that revokes it. Refuses: never. Source: decision A1. */
export function certificatePage(visitor: Visitor, { certificate, sent, nowMs }: ShownCertificate): ReviewPage {
  const { platformName } = readCertificate(certificate);
  const title = `${platformName.slice(0, 60)} ${certificate.version}`;
  const { revoked, submissionId } = certificate;
  return {
    title,
    place: "certificates",
    main: html`${crumbs("certificates")}
<div class="head"><div class="stack"><h1>${shownText(title)}</h1>${certificateMark(certificate, nowMs)}</div>
<a class="button quiet" href="/review/submissions/${submissionId}">${WORDS.submission}</a></div>
${revoked && notice("bad", html`<p><strong>${WORDS.revoked}</strong> ${moment(revoked.at, nowMs)} ${WORDS.by} <span class="mono">${revoked.by}</span></p><p>${WORDS.reason}: ${shownReason(revoked.reason)}</p>`)}
<div class="columns"><section class="card" aria-labelledby="about"><h2 id="about">${WORDS.about}</h2>${about(certificate, nowMs)}</section>
${revoked === null && revokeForm(visitor, certificate, sent)}</div>
<details><summary>${WORDS.raw}</summary>${copyableBlock(certificate.jws, "the certificate")}</details>`,
  };
}

function about(certificate: ListedCertificate, nowMs: number): Html {
  const { platformName, level, domains, author, reviewer, issuedAt, statusList } = readCertificate(certificate);
  return facts([
    [WORDS.platform, shownText(platformName)],
    [WORDS.platformId, copyableIdentifier(certificate.platform, "the platform's eName")],
    [WORDS.version, html`<span class="mono">${certificate.version}</span>`],
    [WORDS.level, chip("plain", level)],
    [WORDS.domains, domainChips(domains)],
    [WORDS.author, copyableIdentifier(author, "the author's eName")],
    [WORDS.reviewer, copyableIdentifier(reviewer, "the reviewer's eName")],
    [WORDS.issued, moment(issuedAt, nowMs)],
    [WORDS.ends, moment(certificate.expiresAt, nowMs)],
    [WORDS.id, copyable(certificate.jti, "the certificate's id")],
    [WORDS.list, html`<a href="${statusList}">${statusList}</a>`],
  ]);
}

function revokeForm(visitor: Visitor, { jti, version }: ListedCertificate, sent: ShownCertificate["sent"]): Html {
  const { form, fault } = sent ?? {};
  const faultOf = (name: string): string | undefined => (fault?.field === name ? fault.message : undefined);
  return html`<section class="card" aria-labelledby="revoke"><div><h2 id="revoke">${WORDS.revoke}</h2><p class="muted">${WORDS.revokeText}</p></div>
${fault && notice("bad", fault.field === undefined ? fault.message : WORDS.nothingDone)}
<form method="post" action="/review/certificates/${jti}/revoke">${tokenField(visitor)}
${field({
  name: "reason",
  label: WORDS.reason,
  isLong: true,
  isRequired: true,
  maxLength: LONGEST_REASON,
  value: form?.get("reason") ?? "",
  hint: WORDS.reasonHint,
  fault: faultOf("reason"),
})}
${field({
  name: "confirmation",
  label: `Type the version, ${version}, to confirm`,
  isRequired: true,
  value: form?.get("confirmation") ?? "",
  fault: faultOf("confirmation"),
})}
<button class="danger">${WORDS.sign}</button></form></section>`;
}

function certificateMark({ revoked, expiresAt }: ListedCertificate, nowMs: number): Html {
  const ended = Date.parse(expiresAt) <= nowMs ? "expired" : "force";
  return stateMark(...MARKS[revoked === null ? ended : "revoked"]);
}

interface CertificateFacts extends Readonly<Record<"platformName" | "level" | "author" | "reviewer", string>> {
  readonly domains: readonly string[];
  readonly issuedAt: string;
  /** The path of the list at this service. */
  readonly statusList: string;
}

/** Reads what this authority wrote into a certificate. */
function readCertificate({ jws, platform, idx }: ListedCertificate): CertificateFacts {
  const { payload } = parseCompactJws(jws);
  const { platform_name = platform, level, submitter, reviewed_by = "", domains, iat } = payload;
  return {
    platformName: String(platform_name),
    level: String(level),
    author: String(submitter),
    reviewer: String(reviewed_by),
    domains: Array.isArray(domains) ? domains.map(String) : [],
    issuedAt: new Date(Number(iat) * 1000).toISOString(),
    statusList: `/status/${Math.floor(idx / LIST_SIZE)}`,
  };
}
