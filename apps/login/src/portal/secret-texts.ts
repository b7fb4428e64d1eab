/** The texts of the page that shows a client's secret once. Source: S2 "Client"; decision L11. */
export const SECRET_TEXTS = {
  title: "Client secret",
  heading: "Save the client secret",
  once: "The secret is shown this one time. Only its hash is stored.",
  previous: "The previous secret still works for 24 hours. Install the new one, then end the previous one.",
  clientId: { name: "Client ID", copy: "client ID" },
  secret: { name: "Client secret", copy: "client secret" },
  variables: { title: "As environment variables", copy: "environment variables" },
  download: (kind: string) => `Download ${kind}`,
  saved: "I have saved it",
} as const;
