import { find } from "@dataspace/ui/dom/element";

/** Says while the browser is offline that nothing is lost. Refuses: never. Source: HTML, `navigator.onLine`. */
export function watchConnectivity(): void {
  const shown = find("offline", HTMLElement);
  const show = (): void => {
    shown.hidden = navigator.onLine;
  };
  addEventListener("online", show);
  addEventListener("offline", show);
  show();
}
