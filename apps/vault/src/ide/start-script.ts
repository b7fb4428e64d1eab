/**
 * The page's script that opens the IDE: it reads its options from the page and sends requests to the vault that served
 * it. It unfolds the variables, since the examples need them.
 */
export const START_SCRIPT: string = `const options = JSON.parse(document.getElementById("ide-options").textContent);
const endpointURL = new URL("graphql", location.href).href;
AltairGraphQL.init({ ...options, endpointURL });

const attemptEveryMs = 50;
let attempts = 200;
function unfoldVariables() {
  const title = document.querySelector(".variables-editor--title");
  if (title === null) return attempts-- > 0 ? setTimeout(unfoldVariables, attemptEveryMs) : undefined;
  const editor = document.querySelector("app-variables-editor .cm-content");
  if (!editor?.checkVisibility()) title.click();
}
unfoldVariables();
`;
