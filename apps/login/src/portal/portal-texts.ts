/** The texts of the developer portal's frame, of its sign-in and of its refusals. Source: decision L11. */
export const PORTAL_TEXTS = {
  signOut: "Sign out",
  path: "Path",
  clients: "Clients",
  back: "Back to your clients",
  refused: "That did not work",
  signedIn: "Signed in",
  continue: "Continue to the portal",
  tooManyDevelopers: "Too many developers are signed in. Try again in a minute.",
  tooManyLogins: "Too many logins are open at the moment. Try again in a minute.",
  formUnreadable: "The form cannot be read. Open the page again and send it from there.",
  formForeign: "Open the page again and send the form from there.",
} as const;
