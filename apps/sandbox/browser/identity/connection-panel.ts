import { find, notice } from "@dataspace/ui/dom/element";
import { faultNotice } from "../run-act.ts";
import type { Connections } from "./connection.ts";
import { IDENTITY_TEXTS } from "./identity-texts.ts";

/** Shows the connection, and lets the visitor change it. Source: S3 "Sandbox", settings. */
export function openConnectionPanel({ connections }: { readonly connections: Connections }): void {
  const form = find("connection", HTMLFormElement);
  const registry = find("registry", HTMLInputElement);
  const provisioner = find("provisioner", HTMLInputElement);
  const code = find("verification", HTMLInputElement);
  const elsewhere = find("elsewhere", HTMLInputElement);
  const output = find("connection-state", HTMLElement);
  const show = (): void => {
    registry.value = connections.current().registryUrl;
    provisioner.value = connections.current().provisionerUrl;
    code.value = connections.current().verificationId;
  };
  show();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      const wanted = {
        registryUrl: registry.value,
        provisionerUrl: provisioner.value,
        verificationId: code.value,
      };
      connections.use(wanted, elsewhere.checked);
      output.replaceChildren(notice("ok", IDENTITY_TEXTS.saved));
      show();
    } catch (error) {
      output.replaceChildren(faultNotice(error));
    }
  });
  find("defaults", HTMLButtonElement).addEventListener("click", () => {
    connections.reset();
    output.replaceChildren();
    show();
  });
}
