/** The texts of the development stack's home page. */
export const HOME_TEXTS = {
  title: "Your data space",
  lead: "Everything runs on this machine. Nothing here leaves it.",
  nav: { home: "Home", docs: "Documentation", sandbox: "Sandbox" },
  start: "Start here",
  services: "Services",
  people: "Demo people",
  peopleLead:
    "Each has a vault with a profile and a few posts. The sandbox opens with the key of the person that you choose.",
  nobody: "No demo people yet",
  nobodyText: "The stack creates them when it has started. Reload the page in a moment.",
  ename: (name: string) => `the eName of ${name}`,
  openAs: "Open the sandbox",
  openAsSpoken: (name: string) => ` as ${name}`,
  openIn: "Open in the IDE",
  openInSpoken: (name: string) => ` of ${name}`,
} as const;

/** The texts of the home page's tiles: where each leads, and what is there. */
export const TILE_TEXTS = {
  sandbox: { title: "Sandbox", text: "A wallet and a vault browser. Create an identity and log in with it." },
  start: { title: "Get started", text: "A record, a reader and an event in five minutes." },
  docs: { title: "Documentation", text: "Guides for each role, settings, errors. With search." },
  ui: { title: "Design system", text: "Every component of these pages, in both themes." },
  vault: { title: "Vault", text: "People's data: GraphQL, files and logs." },
  provisioner: { title: "Provisioner", text: "Creates vaults. The reference of its API." },
  registry: { title: "Registry", text: "Which vault an eName has, and which keys are certified." },
  awareness: { title: "Awareness portal", text: "Webhooks, deliveries and dead letters." },
  login: { title: "Login portal", text: "Clients of the OpenID Connect provider, and its API." },
  authority: { title: "Certifying authority", text: "Certifies releases of platforms." },
} as const;
