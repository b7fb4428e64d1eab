/** What a page answered: its HTML, and where it leads. */
export interface ShownPage {
  readonly status: number;
  readonly headers: Headers;
  readonly location: string | null;
  readonly html: string;
}

/** A browser without scripts, as far as tests need one: it stores cookies and sends forms. */
export interface PageVisitor {
  readonly open: (path: string) => Promise<ShownPage>;
  /** Sends a form, by default with the token of the last page's forms. */
  readonly send: (
    path: string,
    fields?: Record<string, string>,
    headers?: Record<string, string>,
  ) => Promise<ShownPage>;
}

/** Opens such a browser, signed in by nobody. */
export function openPageVisitor(url: string): PageVisitor {
  const cookies = new Map<string, string>();
  let token = "";
  const ask = async (path: string, init: RequestInit): Promise<ShownPage> => {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const response = await fetch(url + path, { ...init, redirect: "manual", headers: { ...init.headers, cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    const html = await response.text();
    token = /name="token" value="([\w-]{43})"/.exec(html)?.[1] ?? token;
    return { status: response.status, headers: response.headers, location: response.headers.get("location"), html };
  };
  return {
    open: (path) => ask(path, {}),
    send: (path, fields = {}, headers = { "sec-fetch-site": "same-origin" }) =>
      ask(path, { method: "POST", headers, body: new URLSearchParams({ token, ...fields }) }),
  };
}

/** Reads from a sign-in page what a wallet is to sign. */
export function findShownSession({ html }: ShownPage): string {
  const uri = html.slice(html.indexOf("ds://auth?"));
  const session = /session=([\w-]{16,128})/.exec(uri)?.[1];
  if (session === undefined) throw new Error("The page shows no session to be signed.");
  return session;
}
