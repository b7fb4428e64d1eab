/** A request that is refused with a page. */
export class PageRefusal extends Error {
  readonly status: number;
  readonly title: string;

  constructor(status: number, title: string, message: string) {
    super(message);
    this.name = "PageRefusal";
    this.status = status;
    this.title = title;
  }
}

/** The refusal of what is not there, or of somebody else's. Refuses: never. */
export function notFound(what: string): PageRefusal {
  return new PageRefusal(404, "Not found", `There is no such ${what}, or it is not yours.`);
}
