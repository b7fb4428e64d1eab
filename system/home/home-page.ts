import { person } from "@dataspace/ui/avatar";
import { copyableIdentifier } from "@dataspace/ui/copyable";
import { emptyState } from "@dataspace/ui/empty-state";
import { icon } from "@dataspace/ui/icon";
import { type LinkTile, linkTiles } from "@dataspace/ui/link-tile";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Page } from "@dataspace/ui/page";
import type { DemoIdentity } from "../read-demo-identities.ts";
import { HOME_TEXTS, TILE_TEXTS } from "./home-texts.ts";

/** Where the services of the stack are. */
export interface HomeAddresses {
  readonly registry: string;
  readonly vault: string;
  readonly awareness: string;
  readonly login: string;
  readonly authority: string;
}

/** Renders the home page of the development stack. `people` is undefined before they exist. Refuses: never. */
export function homePage(at: HomeAddresses, people: readonly DemoIdentity[] | undefined): Page {
  return {
    title: HOME_TEXTS.title,
    part: "home",
    home: "/home",
    nav: [
      { href: "/home", text: HOME_TEXTS.nav.home, current: true },
      { href: "/docs", text: HOME_TEXTS.nav.docs, current: false },
      { href: "/", text: HOME_TEXTS.nav.sandbox, current: false },
    ],
    main: html`<div><h1>${HOME_TEXTS.title}</h1><p class="lead">${HOME_TEXTS.lead}</p></div>
${section("start", HOME_TEXTS.start, linkTiles(FIRST))}
${section("people", HOME_TEXTS.people, peopleList(at, people))}
${section("services", HOME_TEXTS.services, linkTiles(serviceTiles(at)))}`,
  };
}

const FIRST: readonly LinkTile[] = [
  {
    href: "/",
    icon: "wallet",
    ...TILE_TEXTS.sandbox,
  },
  {
    href: "/docs/docs/start",
    icon: "book-open",
    ...TILE_TEXTS.start,
  },
  {
    href: "/docs",
    icon: "magnifying-glass",
    ...TILE_TEXTS.docs,
  },
  { href: "/ui", icon: "squares-2x2", ...TILE_TEXTS.ui },
];

function serviceTiles({ registry, vault, awareness, login, authority }: HomeAddresses): readonly LinkTile[] {
  return [
    { href: `${vault}/`, icon: "circle-stack", ...TILE_TEXTS.vault },
    {
      href: `${vault}/provisioner/docs`,
      icon: "user-plus",
      ...TILE_TEXTS.provisioner,
    },
    {
      href: `${registry}/`,
      icon: "key",
      ...TILE_TEXTS.registry,
    },
    {
      href: `${awareness}/portal`,
      icon: "bell",
      ...TILE_TEXTS.awareness,
    },
    {
      href: `${login}/portal`,
      icon: "finger-print",
      ...TILE_TEXTS.login,
    },
    {
      href: `${authority}/`,
      icon: "shield-check",
      ...TILE_TEXTS.authority,
    },
  ];
}

function section(id: string, title: string, content: Html): Html {
  return html`<section class="stack" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${content}</section>`;
}

function peopleList({ vault }: HomeAddresses, people: readonly DemoIdentity[] | undefined): Html {
  if (people === undefined)
    return emptyState({ illustration: "records", title: HOME_TEXTS.nobody, text: HOME_TEXTS.nobodyText });
  return html`<p class="muted">${HOME_TEXTS.peopleLead}</p>${people.map(
    ({
      name,
      ename,
    }) => html`<article class="card"><div class="row spread">${person(ename, name, copyableIdentifier(ename, HOME_TEXTS.ename(name)))}
<div class="row"><a class="button quiet small" href="/?as=${encodeURIComponent(ename)}">${icon("wallet")}${HOME_TEXTS.openAs}<span class="spoken">${HOME_TEXTS.openAsSpoken(name)}</span></a>
<a class="button quiet small" href="${vault}/graphiql?ename=${encodeURIComponent(ename)}">${icon("command-line")}${HOME_TEXTS.openIn}<span class="spoken">${HOME_TEXTS.openInSpoken(name)}</span></a></div></div></article>`,
  )}`;
}
