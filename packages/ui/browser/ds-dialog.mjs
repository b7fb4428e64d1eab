// Dialogs: closes one on a press beside it, and opens and closes by `command` where the browser does not do so itself.

/** @param {Element} target */
function command(target) {
  const button = target.closest("button[commandfor]");
  if (!button || "commandForElement" in HTMLButtonElement.prototype) return;
  const dialog = document.getElementById(button.getAttribute("commandfor") ?? "");
  if (!(dialog instanceof HTMLDialogElement)) return;
  if (button.getAttribute("command") === "close") dialog.close();
  else dialog.showModal();
}

document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element)) return;
  // The dialog's own area is covered by its content: what hits the dialog itself is its backdrop.
  if (target instanceof HTMLDialogElement) target.close();
  else command(target);
});
