/** A page that says one thing. */
export interface MessagePage {
  readonly status: number;
  readonly title: string;
  readonly message: string;
}

/** Writes a page without style, for platforms that do not write their own. Refuses: never. */
export function writePlainPage({ title, message }: MessagePage): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title></head>
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(message)}</p></main></body></html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
