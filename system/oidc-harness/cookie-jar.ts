/** The cookies of a browser, by host, name and path. */
export interface CookieJar {
  readonly take: (url: URL, header: string) => void;
  readonly read: (url: URL) => string;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly host: string;
}

/** Makes an empty jar. Refuses: never. Source: RFC 6265 5.3, 5.4. */
export function createCookieJar(): CookieJar {
  const cookies = new Map<string, Cookie>();
  return {
    take: ({ hostname }, header) => {
      const [pair = "", ...attributes] = header.split(";").map((part) => part.trim());
      const at = pair.indexOf("=");
      const attribute = (name: string): string | undefined =>
        attributes.find((part) => part.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1);
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      const path = attribute("path") ?? "/";
      const key = `${hostname} ${name} ${path}`;
      const isOver = attribute("max-age") === "0" || Date.parse(attribute("expires") ?? "") <= Date.now();
      if (isOver) cookies.delete(key);
      else cookies.set(key, { name, value, path, host: hostname });
    },
    read: ({ hostname, pathname }) =>
      [...cookies.values()]
        .filter(({ host, path }) => host === hostname && isWithin(pathname, path))
        .map(({ name, value }) => `${name}=${value}`)
        .join("; "),
  };
}

function isWithin(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`);
}
