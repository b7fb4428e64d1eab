import { globSync, readFileSync } from "node:fs";
import path from "node:path";

/** One page of the documentation. */
export interface DocsPage {
  /** Its file from the root of the repository, such as `docs/start.md`. */
  readonly file: string;
  /** Its address below `/docs/`, such as `docs/start`. */
  readonly slug: string;
  readonly title: string;
  readonly markdown: string;
  readonly section: SectionName;
}

const SECTIONS = [
  "Start",
  "Guides",
  "Reference",
  "How to",
  "How it works",
  "Services",
  "Packages",
  "Decisions",
  "Project",
] as const;

/** A group of pages in the menu. */
export type SectionName = (typeof SECTIONS)[number];

const FIRST = ["docs/README.md", "docs/start.md", "docs/concepts.md", "docs/glossary.md"];
const REFERENCE = ["docs/settings.md", "docs/errors.md", "docs/reference.md", "docs/relying-parties.md"];
const FOLDERS: readonly (readonly [string, SectionName])[] = [
  ["docs/guides/", "Guides"],
  ["docs/how-to/", "How to"],
  ["docs/walks/", "How it works"],
  ["docs/decisions/", "Decisions"],
  ["docs/requirements/", "Decisions"],
  ["docs/", "How it works"],
  ["apps/", "Services"],
  ["packages/", "Packages"],
  ["examples/", "Packages"],
];
const LISTED =
  "{*.md,docs/**/*.md,apps/*/README.md,packages/*/README.md,examples/*/README.md,system/README.md,bench/README.md}";
const HEADING = /^# (.+)$/m;

/** Reads every page below `root`, in the order of the menu. Refuses: Error of the file system. */
export function readPages(root: string): readonly DocsPage[] {
  const pages = globSync(LISTED, { cwd: root }).map((file) => readPage(root, file.replaceAll(path.sep, "/")));
  return pages.sort(
    (a, b) =>
      SECTIONS.indexOf(a.section) - SECTIONS.indexOf(b.section) || rank(a) - rank(b) || (a.title < b.title ? -1 : 1),
  );
}

/** The sections in the order of the menu, each with its pages; empty ones are left out. Refuses: never. */
export function listSections(
  pages: readonly DocsPage[],
): readonly { readonly name: SectionName; readonly pages: readonly DocsPage[] }[] {
  return SECTIONS.map((name) => ({ name, pages: pages.filter(({ section }) => section === name) })).filter(
    ({ pages: inside }) => inside.length > 0,
  );
}

function readPage(root: string, file: string): DocsPage {
  const markdown = readFileSync(path.join(root, file), "utf8");
  const title = HEADING.exec(markdown)?.[1]?.replaceAll("`", "") ?? file;
  return { file, slug: file.replace(/(?:\/README)?\.md$/, ""), title, markdown, section: sectionOf(file) };
}

function sectionOf(file: string): SectionName {
  if (FIRST.includes(file)) return "Start";
  if (REFERENCE.includes(file)) return "Reference";
  if (file === "docs/deployment.md") return "Guides";
  return FOLDERS.find(([folder]) => file.startsWith(folder))?.[1] ?? "Project";
}

/** The order inside a section: the pages named above, then a folder's own page, then by title. */
function rank({ file }: DocsPage): number {
  const place = [...FIRST, ...REFERENCE].indexOf(file);
  if (place >= 0) return place;
  return /^docs\/[^/]+\/README\.md$/.test(file) ? FIRST.length + REFERENCE.length : Number.MAX_SAFE_INTEGER;
}
