import type { ActionLog } from "../action-log.ts";
import { notice } from "../element.ts";

/** Where an action reports its result. */
export interface ActPlace {
  readonly output: HTMLElement;
  readonly log: ActionLog;
  /** The name of the action when it fails. */
  readonly act: string;
}

/**
 * Runs an action when a button is pressed, one at a time, and reports a failure beside it and in the log.
 *
 * Refuses: never; errors of `act` are shown.
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
      // The focus returns to where it was, unless the action moved it.
      if (hadFocus && document.activeElement === document.body) button.focus();
    }
  });
}

/** Reports a failure with its error's message. Refuses: never. */
export function tellFault({ output, log, act }: ActPlace, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  log.say("bad", `${act}: ${message}`);
  output.replaceChildren(notice("bad", message));
}
