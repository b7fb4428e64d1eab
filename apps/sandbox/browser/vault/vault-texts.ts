/** The texts of the area Vault: its list of records, and deleting, uploading and creating records. Source: S1 "GraphQL API". */
export const VAULT_TEXTS = {
  allTypes: "All types",
  loading: "Loading records",
  load: "Load records",
  stale: "Loaded records that are no longer wanted",
  count: (total: number): string => (total === 1 ? "1 record" : `${total} records`),
  loaded: (count: number, total: number) => `Loaded ${count} of ${total} records`,
  more: "More records",
  loadMore: "Load more records",
  nothingFound: { title: "Nothing found", text: "No record matches this search." },
  none: { title: "No records yet", text: "Create one, or upload a file." },
  undo: "Undo",
  undoing: "Undo the deletion",
  deleted: (title: string) => `You deleted "${title}", but its history is still in the vault. `,
  isBack: (title: string) => `"${title}" is back.`,
  restored: (title: string) => `Restored "${title}"`,
  upload: "Upload a file",
  uploaded: (unshared: string) => `The file is uploaded. ${unshared}`,
  uploadedBytes: (count: number) => `Uploaded a file of ${count} bytes`,
  fileTooLarge: "A file has at most 10 MiB. Choose a smaller one.",
  unreadable: "The vault stored the record, but its policy does not let you read it.",
  refused: (message: string) => `The vault refused: ${message}`,
  noData: "The vault's answer has neither data nor an error.",
} as const;

/** The texts of the form for a new record. Source: S1 "createMetaEnvelope". */
export const NEW_RECORD_TEXTS = {
  title: "New record",
  type: "Type",
  other: "Something else (JSON)",
  ontology: "Ontology",
  ontologyHint: "The id of the schema, usually a UUID.",
  create: "Create record",
  creating: "Create a record",
  noOntology: "Enter the ontology's id. Nothing was saved.",
  empty: "The record is empty. Fill in a field. Nothing was saved.",
  created: (type: string, title: string) => `Created the ${type} "${title}"`,
} as const;
