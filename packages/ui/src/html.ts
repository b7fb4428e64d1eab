import type { HtmlEscapedString } from "hono/utils/html";

/** A piece of a page, written with hono's `html`: what was put into it is escaped, what was such a piece already is not. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;
