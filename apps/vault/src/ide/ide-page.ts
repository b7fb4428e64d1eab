import { avatar, person } from "@dataspace/ui/avatar";
import { identifier } from "@dataspace/ui/copyable";
import { field } from "@dataspace/ui/field";
import { icon } from "@dataspace/ui/icon";
import { menu } from "@dataspace/ui/menu";
import { html } from "hono/html";
import type { EName } from "@dataspace/protocol/ename";
import type { Html } from "@dataspace/ui/html";
import type { Page } from "@dataspace/ui/page";
import type { IdePerson } from "./ide-people.ts";
import { type IdeSession, NO_SIGNER, sessionQuery } from "./ide-session.ts";
import { IDE_TEXTS as TEXTS } from "./ide-texts.ts";

/** The session that the page shows. `trusts`: this vault takes a caller without a token for the owner. */
export interface IdeView {
  readonly session: IdeSession;
  readonly people: readonly IdePerson[];
  readonly trusts: boolean;
}

/**
 * Renders the page of the IDE: whose vault and who signs, each with a menu, and the editor in a frame.
 *
 * Refuses: never. Source: decision V2.
 */
export function idePage(view: IdeView): Page {
  const { session, people } = view;
  return {
    title: `${TEXTS.title} ${nameOf(session.owner, people)}`,
    part: "vault",
    home: "/",
    isWhole: true,
    nav: [
      { href: `/graphiql?${sessionQuery(session)}`, text: TEXTS.title, current: true },
      { href: "/docs", text: TEXTS.reference, current: false },
      { href: "/schema.graphql", text: TEXTS.schema, current: false },
    ],
    main: html`<h1 class="spoken">${TEXTS.editor}</h1>
<div class="controls">${ownerControl(view)}${people.length > 0 ? signerControl(view) : tokenControl(view)}</div>
<iframe src="/graphiql/frame?${sessionQuery(session)}" title="${TEXTS.editor}" loading="lazy"></iframe>`,
  };
}

function ownerControl({ session, people }: IdeView): Html {
  const { owner, signer } = session;
  const isOwnerSigning = signer === owner;
  const entries = people.map(({ name, ename }) => ({
    href: `/graphiql?${sessionQuery({ owner: ename, signer: isOwnerSigning ? ename : signer })}`,
    content: person(ename, name, identifier(ename)),
    current: ename === owner,
  }));
  const other = html`<form class="inline" action="/graphiql" method="get">${
    !isOwnerSigning && people.length > 0 && html`<input type="hidden" name="as" value="${signer ?? NO_SIGNER}">`
  }${field({ name: "ename", label: TEXTS.otherOwner, isRequired: true, maxLength: 64 })}<button class="quiet">${TEXTS.open}</button></form>`;
  return control(
    TEXTS.vaultOf,
    menu({ id: "owners", button: personButton(owner, people), title: TEXTS.chooseOwner, entries, more: other }),
  );
}

function signerControl({ session, people, trusts }: IdeView): Html {
  const { owner, signer } = session;
  const href = (as: EName | undefined): string => `/graphiql?${sessionQuery({ owner, signer: as })}`;
  const nobodyLine = trusts ? TEXTS.nobodyTrusted : TEXTS.nobodyEnforced;
  const entries = [
    ...people.map(({ name, ename }) => ({
      href: href(ename),
      content: person(ename, name, identifier(ename)),
      current: ename === signer,
    })),
    {
      href: href(undefined),
      content: html`<span class="person"><span class="avatar none">${icon("no-symbol")}</span><span><strong>${TEXTS.nobody}</strong><span class="muted small">${nobodyLine}</span></span></span>`,
      current: signer === undefined,
    },
  ];
  const button = signer === undefined ? html`${icon("no-symbol")}${TEXTS.nobody}` : personButton(signer, people);
  return control(TEXTS.signedAs, menu({ id: "signers", button, title: TEXTS.chooseSigner, entries }));
}

function tokenControl({ trusts }: IdeView): Html {
  return html`<div class="control"><label class="muted small" for="token">${TEXTS.token}</label>
<input id="token" type="password" autocomplete="off" spellcheck="false" aria-describedby="token-hint">
<span class="muted small" id="token-hint">${trusts ? TEXTS.tokenHintTrusted : TEXTS.tokenHint}</span></div>`;
}

function control(label: string, content: Html): Html {
  return html`<div class="control"><span class="muted small">${label}</span>${content}</div>`;
}

function personButton(ename: EName, people: readonly IdePerson[]): Html {
  const known = people.find((one) => one.ename === ename);
  return html`${avatar(ename)}${known === undefined ? identifier(ename) : html`<span class="clip">${known.name}</span>`}`;
}

function nameOf(owner: EName, people: readonly IdePerson[]): string {
  return people.find(({ ename }) => ename === owner)?.name ?? owner;
}
