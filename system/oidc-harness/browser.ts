/** Where a browser is after it followed all redirects: back at a client, or on a page of the provider. */
export type Place =
  | { readonly kind: "client"; readonly url: URL }
  | {
      readonly kind: "page";
      readonly url: URL;
      readonly status: number;
      readonly html: string;
      readonly headers: Headers;
    };

/** A browser with cookies. It never contacts a client: an address outside the provider's origin ends the redirects. */
export interface Browser {
  readonly open: (url: string | URL, form?: URLSearchParams) => Promise<Place>;
}

const MOST_REDIRECTS = 10;

/** Makes a browser without cookies. Refuses: an Error after 10 redirects, or for a redirect that repeats a form (307, 308). */
export function createBrowser(issuer: string): Browser {
  const cookies = createCookieJar();
  return {
    open: async (start, form) => {
      let url = new URL(start, issuer);
      let body = form;
      for (let redirects = 0; redirects < MOST_REDIRECTS; redirects += 1) {
        if (url.origin !== new URL(issuer).origin) return { kind: "client", url };
        const response = await fetch(url, {
          redirect: "manual",
          headers: { accept: "text/html", cookie: cookies.read(url) },
          ...(body === undefined ? {} : { method: "POST", body }),
        });
        for (const cookie of response.headers.getSetCookie()) cookies.take(cookie);
        const location = response.headers.get("location");
        const html = await response.text();
        if (location === null) return { kind: "page", url, status: response.status, html, headers: response.headers };
        if (response.status > 303) throw new Error(`a redirect by ${response.status} repeats the form`);
        url = new URL(location, url);
        body = undefined;
      }
      throw new Error(`more than ${MOST_REDIRECTS} redirects`);
    },
  };
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

/** The cookies of one origin, by name and path. Source: RFC 6265 5.3, 5.4. */
function createCookieJar() {
  const cookies = new Map<string, Cookie>();
  return {
    take: (header: string): void => {
      const [pair = "", ...attributes] = header.split(";").map((part) => part.trim());
      const at = pair.indexOf("=");
      const attribute = (name: string): string | undefined =>
        attributes.find((part) => part.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1);
      const cookie = { name: pair.slice(0, at), value: pair.slice(at + 1), path: attribute("path") ?? "/" };
      const key = `${cookie.name} ${cookie.path}`;
      const expires = Date.parse(attribute("expires") ?? "");
      if (attribute("max-age") === "0" || expires <= Date.now()) cookies.delete(key);
      else cookies.set(key, cookie);
    },
    read: ({ pathname }: URL): string =>
      [...cookies.values()]
        .filter(({ path }) => pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`))
        .map(({ name, value }) => `${name}=${value}`)
        .join("; "),
  };
}
