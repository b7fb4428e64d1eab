// Opens Altair, and adds the owner and a fresh token to each of its requests.

const { session, altair } = JSON.parse(document.getElementById("ide-options")?.textContent ?? "");
const endpointURL = new URL("../graphql", location.href).href;
const tokenAddress = new URL("token", location.href).href;
const send = globalThis.fetch;
/** @type {Promise<Response> | undefined} */
let readsSchema;

globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  if (request.url !== endpointURL) return send(request);
  if (!(await request.clone().text()).includes("IntrospectionQuery")) return sendSigned(request);
  // Each tab asks for the schema, all at the same time.
  readsSchema ??= sendSigned(request).finally(() => {
    readsSchema = undefined;
  });
  return (await readsSchema).clone();
};

/** @param {Request} request */
async function sendSigned(request) {
  const headers = new Headers(request.headers);
  headers.set("x-ename", session.owner);
  const token = session.signer === undefined ? typedToken() : await issuedToken();
  if (token instanceof Response) return token;
  if (token !== "") headers.set("authorization", `Bearer ${token}`);
  return send(new Request(request, { headers }));
}

/** A token is valid for one write, so each request has its own. A refusal becomes the request's answer. */
async function issuedToken() {
  const { owner, signer } = session;
  const body = JSON.stringify({ owner, person: signer });
  const answer = await send(tokenAddress, { method: "POST", headers: { "content-type": "application/json" }, body });
  return answer.ok ? String((await answer.json()).token) : answer;
}

/** The token in the page around this frame; it is stored nowhere. */
function typedToken() {
  const field = parent.document.getElementById("token");
  return field !== null && "value" in field ? String(field.value).trim() : "";
}

const { AltairGraphQL } = /** @type {{ AltairGraphQL: { init: (options: object) => void } }} */ (
  /** @type {unknown} */ (globalThis)
);
/** @param {{ initialName: string }} tab */
const withEndpoint = (tab) => ({ ...tab, endpointURL });
AltairGraphQL.init({ ...altair, endpointURL, initialWindows: altair.initialWindows.map(withEndpoint) });

const TAB = ".window-switcher__item";
const attemptEveryMs = 50;
/** The tabs whose variables are still folded. @type {Set<string>} */
const folded = new Set(altair.initialWindows.flatMap(withVariables));

/** @param {{ initialName: string, initialVariables: string }} tab */
function withVariables({ initialName, initialVariables }) {
  return initialVariables === "" ? [] : [initialName];
}

const TITLE = ".variables-editor--title";
document.addEventListener("click", ({ target }) => {
  const name = nameOf(target instanceof Element ? target.closest(TAB) : null);
  if (folded.has(name))
    when(
      () => isOpen(name),
      () => unfoldVariables(name),
    );
});
when(() => document.querySelector(TAB) !== null, openFirstTab);

/** @param {Element | null} tab */
function nameOf(tab) {
  return tab?.querySelector(".window-switcher__input")?.textContent?.trim() ?? "";
}

/**
 * Whether the editor shows this example: the names of tabs and operations agree.
 *
 * @param {string} name
 */
function isOpen(name) {
  const text = document.querySelector(".query-editor__input .cm-line")?.textContent ?? "";
  return nameOf(document.querySelector(`${TAB}--active`)) === name && text.includes(` ${name}(`);
}

/** At the first visit Altair shows the last of the tabs. */
function openFirstTab() {
  const { instanceStorageNamespace: storage } = altair;
  const isFirstVisit = localStorage.getItem(storage) === null;
  localStorage.setItem(storage, "visited");
  const tab = document.querySelector(isFirstVisit ? TAB : `${TAB}--active`);
  if (tab instanceof HTMLElement) tab.click();
}

/** @param {string} name */
function unfoldVariables(name) {
  folded.delete(name);
  const title = document.querySelector(TITLE);
  const isFolded = document.querySelector(".variables-editor-container.show-variables") === null;
  if (isFolded && title instanceof HTMLElement) title.click();
}

/**
 * Runs an act as soon as Altair is ready for it.
 *
 * @param {() => boolean} isReady
 * @param {() => void} act
 */
function when(isReady, act, attempts = 400) {
  if (isReady()) setTimeout(act, attemptEveryMs);
  else if (attempts > 0) setTimeout(() => when(isReady, act, attempts - 1), attemptEveryMs);
}

// Altair refuses a tab with several operations unless the cursor is in one of them. Here the operation that begins
// before the cursor runs, or else the first one.
const RUNS_ONE = ".query-editor__line-widget";
document.addEventListener("click", (event) => isSend(event.target) && runOneOfSeveral(event), true);
document.addEventListener(
  "keydown",
  (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && runOneOfSeveral(event),
  true,
);

/** @param {EventTarget | null} target */
function isSend(target) {
  return target instanceof Element && target.closest(".send-request__button") !== null;
}

/** @param {Event} event */
function runOneOfSeveral(event) {
  const operations = [...document.querySelectorAll(RUNS_ONE)];
  const cursor = getSelection()?.anchorNode;
  if (operations.length < 2) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const chosen = cursor == null ? undefined : operations.findLast((one) => isBefore(one, cursor));
  const press = chosen ?? operations[0];
  if (press instanceof HTMLElement) press.click();
}

/**
 * @param {Node} one
 * @param {Node} other
 */
function isBefore(one, other) {
  return (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}
