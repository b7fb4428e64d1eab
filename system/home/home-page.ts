import { person } from "@dataspace/ui/avatar";
import { copyableIdentifier } from "@dataspace/ui/copyable";
import { emptyState } from "@dataspace/ui/empty-state";
import { icon } from "@dataspace/ui/icon";
import { type LinkTile, linkTiles } from "@dataspace/ui/link-tile";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Page } from "@dataspace/ui/page";
import type { DemoIdentity } from "../read-demo-identities.ts";

/** Where the services of the stack are. */
export interface HomeAddresses {
  readonly registry: string;
  readonly vault: string;
  readonly awareness: string;
  readonly login: string;
  readonly authority: string;
}

const WORDS = {
  title: "Your data space",
  lead: "Everything runs on this machine. Nothing here leaves it.",
  start: "Start here",
  services: "Services",
  people: "Demo people",
  peopleLead:
    "Each has a vault with a profile and a few posts. The sandbox opens with the key of the person that you choose.",
  nobody: "No demo people yet",
  nobodyText: "The stack creates them when it has started. Reload the page in a moment.",
  openAs: "Open the sandbox",
  openIn: "Open in the IDE",
};

/** Renders the home page of the development stack. `people` is undefined before they exist. Refuses: never. */
export function homePage(at: HomeAddresses, people: readonly DemoIdentity[] | undefined): Page {
  return {
    title: WORDS.title,
    part: "home",
    home: "/home",
    nav: [
      { href: "/home", text: "Home", current: true },
      { href: "/docs", text: "Documentation", current: false },
      { href: "/", text: "Sandbox", current: false },
    ],
    main: html`<div><h1>${WORDS.title}</h1><p class="lead">${WORDS.lead}</p></div>
${section("start", WORDS.start, linkTiles(FIRST))}
${section("people", WORDS.people, peopleList(at, people))}
${section("services", WORDS.services, linkTiles(serviceTiles(at)))}`,
  };
}

const FIRST: readonly LinkTile[] = [
  {
    href: "/",
    icon: "wallet",
    title: "Sandbox",
    text: "A wallet and a vault browser. Create an identity and log in with it.",
  },
  {
    href: "/docs/docs/start",
    icon: "book-open",
    title: "Get started",
    text: "A record, a reader and an event in five minutes.",
  },
  {
    href: "/docs",
    icon: "magnifying-glass",
    title: "Documentation",
    text: "Guides for each role, settings, errors. With search.",
  },
  { href: "/ui", icon: "squares-2x2", title: "Design system", text: "Every component of these pages, in both themes." },
];

function serviceTiles({ registry, vault, awareness, login, authority }: HomeAddresses): readonly LinkTile[] {
  return [
    { href: `${vault}/`, icon: "circle-stack", title: "Vault", text: "People's data: GraphQL, files and logs." },
    {
      href: `${vault}/provisioner/docs`,
      icon: "user-plus",
      title: "Provisioner",
      text: "Creates vaults. The reference of its API.",
    },
    {
      href: `${registry}/`,
      icon: "key",
      title: "Registry",
      text: "Which vault an eName has, and which keys are certified.",
    },
    {
      href: `${awareness}/portal`,
      icon: "bell",
      title: "Awareness portal",
      text: "Webhooks, deliveries and dead letters.",
    },
    {
      href: `${login}/portal`,
      icon: "finger-print",
      title: "Login portal",
      text: "Clients of the OpenID Connect provider, and its API.",
    },
    {
      href: `${authority}/`,
      icon: "shield-check",
      title: "Certifying authority",
      text: "Certifies releases of platforms.",
    },
  ];
}

function section(id: string, title: string, content: Html): Html {
  return html`<section class="stack" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${content}</section>`;
}

function peopleList({ vault }: HomeAddresses, people: readonly DemoIdentity[] | undefined): Html {
  if (people === undefined) return emptyState({ illustration: "records", title: WORDS.nobody, text: WORDS.nobodyText });
  return html`<p class="muted">${WORDS.peopleLead}</p>${people.map(
    ({
      name,
      ename,
    }) => html`<article class="card"><div class="row spread">${person(ename, name, copyableIdentifier(ename, `the eName of ${name}`))}
<div class="row"><a class="button quiet small" href="/?as=${encodeURIComponent(ename)}">${icon("wallet")}${WORDS.openAs}<span class="spoken"> as ${name}</span></a>
<a class="button quiet small" href="${vault}/graphiql?ename=${encodeURIComponent(ename)}">${icon("command-line")}${WORDS.openIn}<span class="spoken"> of ${name}</span></a></div></div></article>`,
  )}`;
}
