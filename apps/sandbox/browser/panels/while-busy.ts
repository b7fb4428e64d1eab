import type { ActionLog } from "../action-log.ts";
import { notice } from "../element.ts";

/** Where an act tells what became of it. */
export interface ActPlace {
  readonly output: HTMLElement;
  readonly log: ActionLog;
  /** What the act is called when it fails. */
  readonly act: string;
}

/**
 * Does something when a button is pressed, once at a time, and tells what went wrong in words beside it and in the log.
 *
 * Refuses: never; what `act` throws is told.
 */
export function whileBusy(button: HTMLButtonElement, place: ActPlace, act: () => Promise<void>): void {
  button.addEventListener("click", async () => {
    const hadFocus = document.activeElement === button;
    button.setAttribute("aria-busy", "true");
    button.disabled = true;
    try {
      await act();
    } catch (error) {
      tellFault(place, error);
    } finally {
      button.removeAttribute("aria-busy");
      button.disabled = false;
      // Whoever works by keyboard goes on where they were, unless the act led them elsewhere.
      if (hadFocus && document.activeElement === document.body) button.focus();
    }
  });
}

/** Tells that something failed, in the words of its error. Refuses: never. */
export function tellFault({ output, log, act }: ActPlace, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  log.say("bad", `${act}: ${message}`);
  output.replaceChildren(notice("bad", message));
}
