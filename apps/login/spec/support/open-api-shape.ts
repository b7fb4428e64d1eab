import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";

/** Holds a value against a schema of an OpenAPI document. */
export function validate(document: object, schema: string, value: unknown): void {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, "document");
  const check = ajv.getSchema(`document#/components/schemas/${schema}`) ?? assert.fail(`the document has no ${schema}`);
  assert.ok(check(value), `${ajv.errorsText(check.errors)} in ${JSON.stringify(value)}`);
}
