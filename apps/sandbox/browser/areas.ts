import { find } from "@dataspace/ui/dom/element";

const AREAS = ["identity", "requests", "vault", "activity"] as const;

/** A part of the page: one tab on a phone. A wide window shows identity, requests and activity together. */
export type Area = (typeof AREAS)[number];

/** The area that is shown. */
export interface Areas {
  readonly current: () => Area;
  /** Called each time an area is shown. */
  readonly onShow: (listener: (area: Area) => void) => void;
}

/**
 * Lets the links of the bar choose the area, by the address's fragment.
 *
 * In: the area to begin with, where the address names none. Refuses: never.
 */
export function openAreas(first: Area): Areas {
  const root = find("sandbox", HTMLElement);
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".areas a")];
  const wide = matchMedia("(width >= 64rem)");
  const listeners: ((area: Area) => void)[] = [];
  const current = (): Area => AREAS.find((one) => location.hash === `#${one}`) ?? first;
  const show = (): void => {
    const area = current();
    const marked = wide.matches && area !== "vault" ? "identity" : area;
    root.dataset["area"] = area;
    for (const link of links) {
      if (link.hash === `#${marked}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    for (const listener of listeners) listener(area);
  };
  addEventListener("hashchange", show);
  wide.addEventListener("change", show);
  show();
  return {
    current,
    onShow: (listener) => {
      listeners.push(listener);
    },
  };
}
