/** The texts of a record's history. Source: S1 "History and rollback". */
export const HISTORY_TEXTS = {
  loading: "Loading the history",
  open: "Open a record",
  opened: (title: string) => `Opened "${title}" with its history`,
  older: "Older versions",
  loadOlder: "Load older versions",
  loadedOlder: (title: string) => `Loaded older versions of "${title}"`,
  version: (version: number) => `Version ${version}`,
  restored: (version: number) => `Restored, as version ${version} was`,
  unknownAuthor: "The author is unknown",
  author: (author: string) => `By ${author}`,
  through: (author: string, platform: string) => `${author}, through ${platform}`,
  rollBackTo: (version: number) => `Roll back to version ${version}`,
  rollBack: "Roll back",
  rolledBack: (version: number) => `Rolled back to version ${version}`,
  change: (field: string, value: string) => `${field}: ${value}`,
} as const;

/** What each operation of a history did, by its name. */
export const OPERATION_TEXTS: Readonly<Record<string, string>> = {
  create: "Created",
  update: "Changed",
  delete: "Deleted",
};
