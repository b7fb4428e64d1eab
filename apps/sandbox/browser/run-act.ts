import { button, element, notice } from "@dataspace/ui/dom/element";
import { visibleText } from "@dataspace/ui/shapes/visible-text";
import { WalletError } from "@dataspace/wallet/wallet-error";
import type { Action, Activity } from "./activity/activity.ts";
import { rememberFocus } from "./focus.ts";
import { PAGE_TEXTS } from "./page-texts.ts";
import { shorten } from "./shown-text.ts";

/** Where an action reports its result. */
export interface ActPlace {
  readonly output: HTMLElement;
  readonly activity: Activity;
  /** What the action does, as a short command for the log, such as "Load records". */
  readonly doing: string;
}

/** The work of an action. Out: what it did, as a sentence for the log. */
export type Act = (action: Action) => Promise<string>;

const MAX_MESSAGE_CHARACTERS = 600;

/**
 * Runs an action each time a button is pressed, one at a time: presses while it runs do nothing. The button stays
 * enabled, since a disabled one loses the focus.
 *
 * Refuses: never; errors of `act` are shown beside it and in the log.
 */
export function onPress(pressed: HTMLButtonElement, place: ActPlace, act: Act): void {
  let isRunning = false;
  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    const restoreFocus = rememberFocus(pressed);
    pressed.setAttribute("aria-busy", "true");
    await runAct(place, act, () => {
      pressed.focus();
      pressed.click();
    });
    pressed.removeAttribute("aria-busy");
    isRunning = false;
    restoreFocus();
  };
  pressed.addEventListener("click", () => void run());
}

/**
 * Runs an action and reports its outcome. In: `retry` runs it again, at the visitor's request.
 *
 * Out: whether it succeeded. Refuses: never.
 */
export async function runAct({ output, activity, doing }: ActPlace, act: Act, retry: () => void): Promise<boolean> {
  const action = activity.begin(doing);
  try {
    action.end(await act(action));
    return true;
  } catch (error) {
    action.fail(messageOf(error));
    output.replaceChildren(faultNotice(error, retry));
    return false;
  }
}

/** Shows a failure: its sentence, the rule that was broken, and a retry where that may help. Refuses: never. */
export function faultNotice(error: unknown, retry?: () => void): HTMLElement {
  const words = [element("p", {}, messageOf(error))];
  const shown = element("div", {});
  if (error instanceof WalletError) {
    const { code, refusal } = error;
    const rule = visibleText(shorten(refusal ?? code, 100));
    words.push(element("p", { class: "small" }, PAGE_TEXTS.rule, element("code", {}, rule)));
    if (code.endsWith("_UNAVAILABLE") && retry !== undefined) {
      const again = button(PAGE_TEXTS.tryAgain, "quiet small");
      again.addEventListener("click", () => {
        const restoreFocus = rememberFocus(again);
        shown.remove();
        retry();
        restoreFocus();
      });
      words.push(element("div", { class: "row" }, again));
    }
  }
  shown.append(notice("bad", ...words));
  return shown;
}

// The text may be another party's.
function messageOf(error: unknown): string {
  return visibleText(shorten(error instanceof Error ? error.message : String(error), MAX_MESSAGE_CHARACTERS));
}
