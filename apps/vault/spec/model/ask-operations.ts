import { type Answer, ask } from "../support/ask.ts";
import type { Answered, Outcome } from "./answers.ts";
import { writeDocument } from "./documents.ts";
import type { Operation } from "./operation.ts";

/** Operations of one request to one owner's vault, with the headers that say who asks. */
export interface OperationsToAsk {
  readonly owner: string;
  readonly operations: readonly Operation[];
  readonly headers: Readonly<Record<string, string>>;
  readonly policies: boolean;
}

/** Sends operations as one request and gives what each was answered with. */
export async function askOperations(
  vault: { readonly url: string },
  asked: OperationsToAsk,
): Promise<readonly Outcome[]> {
  const headers = { ...asked.headers, "x-ename": asked.owner };
  const [first] = asked.operations;
  if (first?.do === "logs") {
    const query = new URLSearchParams();
    if (first.size !== undefined) query.set("limit", String(first.size));
    if (first.cursor !== undefined) query.set("cursor", first.cursor.text);
    const { body } = await ask(vault, `/logs?${query}`, { headers });
    return [{ data: body.error === undefined ? body : undefined, code: body.error?.code }];
  }
  const answer = await ask(vault, "/graphql", {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(writeDocument(asked.operations, asked.policies)),
  });
  return toOutcomes(answer, asked.operations);
}

function toOutcomes({ status, body }: Answer, operations: readonly Operation[]): readonly Outcome[] {
  if (status !== 200) throw new Error(`HTTP ${status}: ${JSON.stringify(body)}`);
  return operations.map((_, index) => {
    const error = body.errors?.find(({ path }: Answered) => path?.[0] === `o${index}`);
    return { data: body.data?.[`o${index}`], code: error?.extensions.code };
  });
}
