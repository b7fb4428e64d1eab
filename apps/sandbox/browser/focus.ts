/** Moves the focus to the heading of the part of the page around an element, unless it has none. Refuses: never. */
export function focusHeading(inside: Element): void {
  for (let part = inside.parentElement; part !== null; part = part.parentElement) {
    const heading = part.querySelector<HTMLElement>(":scope > :is(h2, h3, h4), :scope > .row > h2");
    if (heading === null || heading.offsetParent === null) continue;
    heading.tabIndex = -1;
    heading.focus();
    return;
  }
}

/** Replaces the content of an element. If the focus was inside, it moves to the heading. Refuses: never. */
export function replaceContent(container: HTMLElement, ...content: readonly (Node | string)[]): void {
  const hadFocus = container.contains(document.activeElement);
  container.replaceChildren(...content);
  if (hadFocus) focusHeading(container);
}

/**
 * Remembers where the focus is. Out: call it later, after a change of the page: where the focus was lost, it moves back,
 * or to the heading of the same area. Refuses: never. Source: WCAG 2.2, 2.4.3.
 */
export function rememberFocus(focused: HTMLElement): () => void {
  const area = focused.closest("section[data-shows]");
  const hadFocus = document.activeElement === focused;
  return () => {
    if (!hadFocus || (document.activeElement !== null && document.activeElement !== document.body)) return;
    focused.focus();
    if (document.activeElement === document.body && area?.firstElementChild) {
      focusHeading(area.firstElementChild.firstElementChild ?? area.firstElementChild);
    }
  };
}
