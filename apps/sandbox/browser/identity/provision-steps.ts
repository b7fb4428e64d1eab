import { element } from "@dataspace/ui/dom/element";
import { PROVISION_TEXTS } from "./provision-texts.ts";

const STEPS = ["keys", "vault", "certificate", "profile"] as const;

/** A step of a provisioning. */
export type ProvisionStep = (typeof STEPS)[number];

/** The list of the steps as the visitor sees it. */
export interface ProvisionSteps {
  readonly element: HTMLElement;
  /** All earlier steps are done; this one runs. */
  readonly reach: (step: ProvisionStep) => void;
  readonly finish: () => void;
  /** The step that runs failed. */
  readonly stop: () => void;
}

type State = keyof typeof PROVISION_TEXTS.states;

/** Shows the steps of a provisioning, none of them begun. Refuses: never. Source: S3 "Sandbox", provision. */
export function createProvisionSteps(): ProvisionSteps {
  const list = element("ol", { class: "steps", "aria-label": PROVISION_TEXTS.list, "aria-live": "polite" });
  let reached = -1;
  const show = (stateOf: (place: number) => State): void => {
    const items = STEPS.map((step, place) => {
      const state = stateOf(place);
      const spoken = element("span", { class: "spoken" }, PROVISION_TEXTS.states[state]);
      return element("li", { class: state }, element("strong", {}, spoken, PROVISION_TEXTS.steps[step]));
    });
    list.replaceChildren(...items);
  };
  const compare = (place: number, now: State): State => {
    if (place < reached) return "done";
    return place === reached ? now : "waiting";
  };
  show(() => "waiting");
  return {
    element: list,
    reach: (step) => {
      reached = Math.max(reached, STEPS.indexOf(step));
      show((place) => compare(place, "current"));
    },
    finish: () => show(() => "done"),
    stop: () => show((place) => compare(place, "failed")),
  };
}
