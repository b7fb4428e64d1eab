import type { HtmlEscapedString } from "hono/utils/html";

/** A piece of a page, written with hono's `html`: inserted text is escaped, inserted pieces are not. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;
