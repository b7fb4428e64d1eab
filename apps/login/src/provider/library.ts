type Library = typeof import("oidc-provider");

/** The library treats a Node build without an LTS name as outdated; the pinned Node is newer than those it names. */
const NEEDLESS = "oidc-provider WARNING: Unsupported runtime";

const library: Library = await loadWithoutWarning();

/** The protocol library's provider. Source: decision L1. */
export const Provider: Library["Provider"] = library.Provider;

/** The protocol library's errors. Source: decision L1. */
export const errors: Library["errors"] = library.errors;

/** The protocol library's prompts and their checks. Source: decision L1. */
export const interactionPolicy: Library["interactionPolicy"] = library.interactionPolicy;

async function loadWithoutWarning(): Promise<Library> {
  const { warn } = console;
  console.warn = (...words) => {
    if (!String(words[0]).includes(NEEDLESS)) warn(...words);
  };
  try {
    return await import("oidc-provider");
  } finally {
    console.warn = warn;
  }
}
