import { type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";
import { createCookieJar } from "./cookie-jar.ts";

/** Where a browser is after it followed all redirects: on a page, or about to leave the origins that it may contact. */
export type Place =
  | { readonly kind: "client"; readonly url: URL }
  | { readonly kind: "page"; readonly url: URL; readonly status: number; readonly html: string };

/** A browser with cookies. */
export interface Browser {
  readonly open: (url: string | URL, form?: URLSearchParams) => Promise<Place>;
}

const MOST_REDIRECTS = 10;

/**
 * Makes a browser without cookies. It contacts the given origins only: another address ends the redirects.
 *
 * Refuses: an Error after 10 redirects, or for a redirect that repeats a form (307, 308).
 */
export function createBrowser(...origins: readonly [string, ...string[]]): Browser {
  const cookies = createCookieJar();
  return {
    open: async (start, form) => {
      let url = new URL(start, origins[0]);
      let body = form;
      for (let redirects = 0; redirects < MOST_REDIRECTS; redirects += 1) {
        if (!origins.includes(url.origin)) return { kind: "client", url };
        const answer = await navigate(url, cookies.read(url), body);
        for (const cookie of answer.headers["set-cookie"] ?? []) cookies.take(url, cookie);
        const { location } = answer.headers;
        if (location === undefined) return { kind: "page", url, status: answer.status, html: answer.html };
        if (answer.status > 303) throw new Error(`a redirect by ${answer.status} repeats the form`);
        url = new URL(location, url);
        body = undefined;
      }
      throw new Error(`more than ${MOST_REDIRECTS} redirects`);
    },
  };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly html: string;
}

/** Requests a page with the headers of a navigation. `fetch` sends others, which some relying parties refuse. */
function navigate(url: URL, cookie: string, form: URLSearchParams | undefined): Promise<Answer> {
  const body = form?.toString();
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        accept: "text/html",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "document",
        ...(cookie === "" ? {} : { cookie }),
        ...(body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
      },
    });
    sent.once("error", reject);
    sent.once("response", (response) => {
      const { statusCode: status = 0, headers } = response;
      text(response).then((html) => resolve({ status, headers, html }), reject);
    });
    sent.end(body);
  });
}
