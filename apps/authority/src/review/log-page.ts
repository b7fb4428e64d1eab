import { encodeBase64Url } from "@dataspace/protocol/base64url";
import { copyable, identifier } from "@dataspace/ui/copyable";
import { emptyState } from "@dataspace/ui/empty-state";
import { moment } from "@dataspace/ui/moment";
import { stateMark } from "@dataspace/ui/state-mark";
import { facts, table } from "@dataspace/ui/table";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import { readNumber } from "../http/read-input.ts";
import { countEntries, hashRanges, listEntries } from "../store/log-rows.ts";
import { pageLinks, type ReviewPage } from "./frame.ts";
import type { ReviewDoorDeps } from "./submission-doors.ts";
import { domainChips } from "./submission-list-page.ts";
import type { FastifyInstance } from "fastify";

/** The log's size and root hash, and some entries of it, the newest first. */
interface ShownLog {
  readonly size: number;
  readonly root: string;
  readonly entries: readonly { readonly idx: number; readonly text: string }[];
  readonly first: string | undefined;
  readonly next: string | undefined;
  readonly nowMs: number;
}

const WORDS = {
  title: "Log",
  lead: "Everything that this authority issued and revoked, in an append-only log. Anybody can verify that it only grows.",
  checkpoint: "Newest checkpoint",
  size: "Entries",
  root: "Root hash",
  signed: "The signed checkpoint, as JSON",
  reviews: "What reviewers signed, as JSON",
  entries: "Entries, the newest first",
  columns: ["Entry", "What", "Certificate", "Details", "When", "Proof"],
  issued: "Issued",
  revoked: "Revoked",
  proof: "Proof",
  proofOf: "of entry",
  emptyTitle: "The log is empty",
  emptyText: "An entry appears here when a certificate is issued or revoked.",
} as const;
const AT = "/review/log";
const PAGE = 20;

/** Serves `GET /review/log`. Refuses: BAD_REQUEST. Source: RFC 9162; decision A1. */
export function mountLogPage(app: FastifyInstance, { database, clock, show }: ReviewDoorDeps): void {
  app.get<{ Querystring: Record<string, unknown> }>(AT, async (request, reply) => {
    const size = await countEntries(database);
    const end = readNumber(request.query["before"], { name: "before", min: 0, max: size, absent: size });
    const from = Math.max(0, end - PAGE);
    const [texts, [root]] = await Promise.all([
      listEntries(database, { from, limit: end - from }),
      hashRanges(database, [{ from: 0, to: size }]),
    ]);
    const entries = texts.map((text, place) => ({ idx: from + place, text })).reverse();
    const pages = { first: end < size ? AT : undefined, next: from > 0 ? `${AT}?before=${from}` : undefined };
    const shown = { size, root: encodeBase64Url(root ?? new Uint8Array()), entries, ...pages, nowMs: clock.nowMs() };
    return show(request, reply, logPage(shown));
  });
}

function logPage({ size, root, entries, nowMs, ...pages }: ShownLog): ReviewPage {
  return {
    title: WORDS.title,
    place: "log",
    main: html`<div><h1>${WORDS.title}</h1><p class="lead">${WORDS.lead}</p></div>
<section class="card" aria-labelledby="checkpoint"><h2 id="checkpoint">${WORDS.checkpoint}</h2>${facts([
      [WORDS.size, size],
      [WORDS.root, copyable(root, "the root hash")],
    ])}<a href="/log/checkpoint">${WORDS.signed}</a> <a href="/log/reviews">${WORDS.reviews}</a></section>
${
  entries.length === 0
    ? emptyState({ illustration: "records", title: WORDS.emptyTitle, text: WORDS.emptyText })
    : table({
        caption: WORDS.entries,
        columns: WORDS.columns.map((title) => ({ title })),
        rows: entries.map((entry) => entryRow(entry, size, nowMs)),
      })
}${pageLinks(pages)}`,
  };
}

function entryRow({ idx, text }: ShownLog["entries"][number], size: number, nowMs: number): readonly (Html | string)[] {
  const { type, jti, version, level, domains, iat, at } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const isIssued = type === "issued";
  const seconds = Number(isIssued ? iat : at);
  return [
    html`<span class="mono">${idx}</span>`,
    isIssued ? stateMark("ok", WORDS.issued) : stateMark("bad", WORDS.revoked),
    html`<a href="/review/certificates/${String(jti)}">${isIssued ? String(version) : identifier(String(jti))}</a>`,
    isIssued && Array.isArray(domains) ? html`${String(level)} ${domainChips(domains.map(String))}` : "",
    moment(new Date(seconds * 1000).toISOString(), nowMs),
    html`<a href="/log/proof?leaf=${idx}&amp;size=${size}">${WORDS.proof}<span class="spoken"> ${WORDS.proofOf} ${idx}</span></a>`,
  ];
}
