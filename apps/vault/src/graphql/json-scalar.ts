import { isLossyNumber, LOSSY_NUMBER_MEMBER } from "@dataspace/service-kit/http/lossy-numbers";
import { type GraphQLScalarType, Kind, type ObjectValueNode, type ValueNode } from "graphql";

/** The two ways in which the scalar `JSON` takes a value and the one in which it gives it. */
export const JSON_SCALAR: Partial<GraphQLScalarType> = {
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: literalToValue,
};

/**
 * Reads a JSON value written in the GraphQL document. A number that a double cannot hold is marked as in a request's JSON;
 * objects have no prototype, so that the key `__proto__` is seen and not obeyed.
 *
 * Recursion is bounded by the number of tokens a document may have. Source: decision V7.
 */
function literalToValue(node: ValueNode, variables?: Readonly<Record<string, unknown>> | null): unknown {
  switch (node.kind) {
    case Kind.NULL:
      return null;
    case Kind.BOOLEAN:
    case Kind.STRING:
    case Kind.ENUM:
      return node.value;
    case Kind.INT:
    case Kind.FLOAT:
      return isLossyNumber(node.value) ? { [LOSSY_NUMBER_MEMBER]: node.value } : Number(node.value);
    case Kind.LIST:
      return node.values.map((item) => literalToValue(item, variables));
    case Kind.OBJECT:
      return literalToObject(node, variables);
    case Kind.VARIABLE:
      return variables?.[node.name.value];
  }
}

function literalToObject(node: ObjectValueNode, variables?: Readonly<Record<string, unknown>> | null): unknown {
  const object = Object.create(null) as Record<string, unknown>;
  for (const field of node.fields) object[field.name.value] = literalToValue(field.value, variables);
  return object;
}
