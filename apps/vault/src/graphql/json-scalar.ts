import { isLossyNumber, LOSSY_NUMBER_MEMBER } from "@dataspace/service-kit/http/lossy-numbers";
import { type GraphQLScalarType, Kind, type ObjectValueNode, type ValueNode } from "graphql";

/** The two input functions and the output function of the scalar `JSON`. */
export const JSON_SCALAR: Partial<GraphQLScalarType> = {
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: literalToValue,
};

/**
 * Reads a JSON literal in the GraphQL document. Numbers that a double cannot represent are marked as in a request's
 * JSON. Objects have no prototype, so that the key `__proto__` is an ordinary key.
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
