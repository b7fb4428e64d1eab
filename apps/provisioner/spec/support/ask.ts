/** An answer; the test names the type that it asserts next. */
export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** Sends a request, `body` as JSON (a string unchanged), and parses the JSON answer. */
export async function ask<Body = unknown>(
  url: string,
  options: { readonly method?: string; readonly body?: unknown; readonly headers?: Record<string, string> } = {},
): Promise<Answer<Body>> {
  const { method = options.body === undefined ? "GET" : "POST", body, headers = {} } = options;
  const response = await fetch(url, {
    method,
    headers: body === undefined ? headers : { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text === "" ? undefined : JSON.parse(text)) as Body,
  };
}
