import { html } from "hono/html";
import { avatar, person } from "../avatar.ts";
import { barChart } from "../bar-chart.ts";
import { button, linkButton } from "../button.ts";
import { choices } from "../choice.ts";
import { copyable, copyableBlock, copyableIdentifier, identifier, shownOnce } from "../copyable.ts";
import { closeButton, dialog } from "../dialog.ts";
import { emptyState } from "../empty-state.ts";
import { checkbox, field, select } from "../field.ts";
import type { Html } from "../html.ts";
import type { IconName } from "../icon.ts";
import { icon } from "../icon.ts";
import { linkTiles } from "../link-tile.ts";
import { menu } from "../menu.ts";
import { metrics } from "../metrics.ts";
import { moment } from "../moment.ts";
import { qrCode } from "../qr-code.ts";
import type { IllustrationName } from "../shapes/illustration-paths.ts";
import { skeleton } from "../skeleton.ts";
import { chip, notice, type StateKind, stateMark } from "../state-mark.ts";
import { steps } from "../steps.ts";
import { facts, table } from "../table.ts";
import { tabLinks, tabs } from "../tabs.ts";

/** A kind of component, shown with examples. */
export interface GalleryPiece {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly main: Html;
}

/** What the examples are about: a text that stands in every place, and the time. */
export interface GalleryExample {
  readonly name: string;
  readonly ename: string;
  readonly nowMs: number;
}

const KINDS: readonly StateKind[] = ["ok", "warn", "bad", "off", "plain"];
const EMPTY: readonly IllustrationName[] = ["records", "requests", "deliveries", "search", "offline", "done"];
const SHOWN_ICONS: readonly IconName[] = [
  ...(["home", "wallet", "key", "finger-print", "shield-check", "qr-code", "user", "users", "inbox", "bell"] as const),
  ...(["document-text", "folder", "circle-stack", "server-stack", "chart-bar", "bolt", "clock", "link"] as const),
  ...(["pencil-square", "trash", "arrow-path", "arrow-uturn-left", "share", "magnifying-glass", "x-mark"] as const),
];

/** Every component with examples, each in a section of its own. Refuses: never. */
export function galleryPieces(example: GalleryExample): readonly GalleryPiece[] {
  return [
    ...[...textPieces(example), ...numberPieces(example), ...signPieces(example)],
    ...[...formPieces(example), ...waitingPieces(example)],
  ];
}

function textPieces({ name, ename, nowMs }: GalleryExample): readonly GalleryPiece[] {
  const ago = (ms: number): Html => moment(new Date(nowMs - ms).toISOString(), nowMs);
  return [
    {
      id: "text",
      title: "Text",
      text: "Six sizes. A heading says what the page is; a lead says it in one sentence.",
      main: html`<p class="lead">A vault belongs to one person, and platforms ask it for what they need.</p>
<p>Text for reading has 15 pixels and at most 66 characters a line. <a href="#text">A link</a> looks like a link.</p>
<p class="small muted">Small text says what helps and is not needed. <code>Code</code> has its own font.</p>`,
    },
    {
      id: "identifiers",
      title: "Identifiers and times",
      text: "An identifier is shortened by sight alone. A time shows its exact moment on hover.",
      main: facts([
        ["Identifier", identifier(ename)],
        ["With copy", copyableIdentifier(ename, "the eName")],
        ["In full", copyable(ename, "the full eName")],
        ["Time", ago(3 * 60_000)],
        ["Person", person(ename, name, identifier(ename))],
      ]),
    },
    {
      id: "copy",
      title: "Texts to copy",
      text: "Commands and secrets. A secret that is visible once is large and selects as a whole.",
      main: html`${copyableBlock(`curl -sS http://127.0.0.1:4000/whois -H 'X-ENAME: ${ename}'`, "the command")}
${shownOnce("whsec_dGhpcyBpcyBzaG93biBvbmNlIGFuZCBuZXZlciBhZ2Fpbg==", "the secret")}`,
    },
    {
      id: "menu",
      title: "Menu",
      text: "A button that opens a list of places. The check marks where the reader is.",
      main: menu({
        id: "example-menu",
        button: html`${avatar(ename)}<span class="clip">${name}</span>`,
        title: "Choose a person",
        entries: [{ href: "#menu", content: person(ename, name, identifier(ename)), current: true }],
      }),
    },
    {
      id: "table",
      title: "Table",
      text: "On a phone each row is a card that repeats the titles.",
      main: table({
        caption: "Attempts",
        columns: [{ title: "Endpoint" }, { title: "State" }, { title: "When" }, { title: "Took", kind: "number" }],
        rows: [
          [html`<span class="clip">${name}</span>`, stateMark("ok", "Delivered"), ago(42_000), "84 ms"],
          ["hooks.calendar.example", stateMark("warn", "Waiting"), ago(3_600_000), "-"],
          ["old.example", stateMark("bad", "Answered 500"), ago(90_000_000), "5,000 ms"],
        ],
      }),
    },
  ];
}

const COUNTS = [12, 18, 9, 30, 41, 22, 0, 0, 14, 37, 52, 48, 33, 27, 19, 44, 61, 58, 23, 11, 0, 8, 17, 26];

function numberPieces({ name }: GalleryExample): readonly GalleryPiece[] {
  return [
    {
      id: "metrics",
      title: "Metrics",
      text: "The few numbers that matter most.",
      main: metrics([
        { name: "Delivered", value: "1,204", line: "99.2 %" },
        { name: "Failed", value: 10, line: html`<span class="clip">${name}</span>` },
        { name: "Waiting", value: 3 },
      ]),
    },
    {
      id: "chart",
      title: "Chart",
      text: "Successes above the line, failures below it. The same numbers as a table.",
      main: barChart({
        id: "deliveries",
        summary: "610 delivered and 8 failed within a day",
        names: { span: "Time", ok: "Delivered", bad: "Failed", asTable: "Show as a table" },
        bars: COUNTS.map((ok, hour) => ({ title: `${hour}:00`, ok, bad: hour % 9 === 3 ? 4 : 0 })),
        ends: ["00:00", "now"],
      }),
    },
  ];
}

function signPieces({ name, ename }: GalleryExample): readonly GalleryPiece[] {
  const people = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
  return [
    {
      id: "icons",
      title: "Icons",
      text: "Outlines from one set. A word stands beside an icon unless everybody knows it.",
      main: html`<div class="row">${SHOWN_ICONS.map(icon)}</div>`,
    },
    {
      id: "avatars",
      title: "Avatars",
      text: "Derived from the eName, so that a person looks the same on every page.",
      main: html`<div class="row">${avatar(ename, "large")}${people.map((seed) => avatar(seed))}</div>`,
    },
    {
      id: "states",
      title: "States",
      text: "A colour is never the only sign.",
      main: html`<div class="row">${KINDS.map((kind) => stateMark(kind, kind))}</div>
<div class="row">${KINDS.map((kind) => chip(kind, kind))}${chip("plain", name.slice(0, 40))}</div>`,
    },
    {
      id: "notices",
      title: "Notices",
      text: "One fact and what to do. Screen readers announce a bad one at once.",
      main: html`${notice("plain", "Platforms see only what your policy lets them read.")}
${notice("ok", html`<p><strong>Your endpoint answered.</strong> Webhooks arrive from now on.</p>`)}
${notice("warn", "This key is not backed up. Export it before you clear this browser.")}
${notice("bad", html`<p><strong>${name}</strong> could not be resolved.</p><p>The registry did not answer. Try again in a minute.</p>`)}`,
    },
    {
      id: "steps",
      title: "Steps",
      text: "What takes a while says where it is.",
      main: steps([
        { title: "Creating keys", state: "done" },
        { title: "Asking for a vault", state: "done" },
        { title: "Certifying", state: "current", text: "The registry signs which key belongs to you." },
        { title: "Writing your profile", state: "waiting" },
      ]),
    },
    {
      id: "tiles",
      title: "Tiles",
      text: "Places to go to.",
      main: linkTiles([
        {
          href: "#tiles",
          icon: "wallet",
          title: name,
          text: "Make an identity, log in, sign.",
          mark: stateMark("ok", "Up"),
        },
        { href: "#tiles", icon: "book-open", title: "Reference", text: "Every endpoint with examples." },
        { href: "#tiles", icon: "command-line", title: "GraphQL IDE", text: "Ask a vault in the browser." },
      ]),
    },
    {
      id: "code",
      title: "Code for a camera",
      text: "Dark on white in both themes.",
      main: qrCode("ds://auth?redirect=x", "Sign-in code"),
    },
  ];
}

function formPieces({ name }: GalleryExample): readonly GalleryPiece[] {
  return [
    {
      id: "buttons",
      title: "Buttons",
      text: "A view has one primary button. What destroys is never the primary one.",
      main: html`<div class="row">${button({ kind: "primary", text: "Approve", icon: "check" })}
${button({ kind: "quiet", text: "Cancel" })}${button({ kind: "plain", text: "Learn more" })}
${button({ kind: "danger", text: "Remove", icon: "trash", opens: "remove" })}
${button({ kind: "quiet", text: "Not yet", isDisabled: true })}${button({ kind: "plain", text: "More actions", icon: "ellipsis-horizontal", isIconOnly: true })}
${linkButton("#buttons", { kind: "quiet", text: "Open the docs", icon: "book-open" })}</div>
${dialog({
  id: "remove",
  title: "Remove this record?",
  main: html`<p>“${name}” disappears from every platform that reads it. You can restore it from its history.</p>`,
  actions: html`${closeButton("remove", "Cancel")}${button({ kind: "danger", text: "Remove the record" })}`,
})}`,
    },
    {
      id: "fields",
      title: "Fields",
      text: "A label, a hint, and the error where it happened.",
      main: html`<form method="get" action="">${field({ name: "target", label: "Endpoint", type: "url", hint: "An address that answers with https.", fault: "This address has no https.", value: "http://calendar.example" })}
${select({
  name: "level",
  label: "Level",
  value: "L2",
  options: [
    { value: "L1", text: "Level 1" },
    { value: "L2", text: "Level 2" },
  ],
})}
${field({ name: "note", label: "Note", isLong: true, value: name })}
${choices({
  name: "since",
  legend: "Received since",
  value: "day",
  options: [
    { value: "hour", text: "Last hour" },
    { value: "day", text: "Last 24 hours" },
  ],
})}
${checkbox("active", "Send live events", true)}</form>`,
    },
    {
      id: "tabs",
      title: "Tabs",
      text: "Links when the parts have addresses, buttons when they do not.",
      main: html`${tabLinks("Parts with an address", [
        { href: "#tabs", text: "Overview", current: true },
        { href: "#tabs", text: "Attempts", current: false },
        { href: "#tabs", text: "Settings", current: false },
      ])}
${tabs("Languages", [
  { id: "node", title: "Node", main: html`<pre>npm install @dataspace/receiver</pre>` },
  { id: "python", title: "Python", main: html`<pre>pip install standardwebhooks</pre>` },
])}`,
    },
  ];
}

function waitingPieces({ name }: GalleryExample): readonly GalleryPiece[] {
  return [
    { id: "skeleton", title: "Loading", text: "Keeps the place of what comes.", main: skeleton(3, "records") },
    {
      id: "empty",
      title: "Nothing here",
      text: "Why it is empty, and one act that changes it.",
      main: html`<div class="columns">${EMPTY.map((illustration) =>
        emptyState({
          illustration,
          title: illustration === "records" ? name : `No ${illustration} yet`,
          text: "One sentence says why, and what comes here.",
          ...(illustration === "records"
            ? { action: linkButton("#empty", { kind: "quiet", text: "Create one", icon: "plus" }) }
            : {}),
        }),
      )}</div>`,
    },
  ];
}
