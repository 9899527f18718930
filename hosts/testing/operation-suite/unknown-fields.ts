// Finds objects inside a body that drop unknown fields, because a misspelt field would then be lost silently. Called by
// ordinary.ts.
import type { Operation } from '../../../core/contract/declaration/operation.ts';
import { jsonSchemaOf } from '../../../core/projections/json-schema.ts';
import { definitionOf, isRecord, type JsonSchema } from '../../../core/projections/schema-parts.ts';

/** Whether undeclared fields are dropped. Strict objects reject them; records and loose objects keep them. */
const dropsUnknownFields = (schema: JsonSchema): boolean =>
  isRecord(schema.properties) && schema.additionalProperties === undefined && schema.patternProperties === undefined;

/** The schemas that this value, or an item of its list or record, may have. */
const innerSchemas = ({ anyOf, oneOf, allOf, items, additionalProperties, prefixItems }: JsonSchema): JsonSchema[] =>
  [anyOf, oneOf, allOf, prefixItems, [items], [additionalProperties]].flatMap((list) =>
    Array.isArray(list) ? list.filter(isRecord) : [],
  );

/** The paths of objects in the body that drop unknown fields, such as `owner` and `lines[].price`. The body itself is left out. */
export function droppingObjects({ input }: Operation): string[] {
  if (input.body === undefined) return [];
  const { schema: root, definitions } = jsonSchemaOf(input.body, 'input');
  const droppingPaths = new Set<string>();
  const visit = (schema: JsonSchema, path: string, seen: readonly string[]): void => {
    const id = definitionOf(schema);
    if (id !== undefined) {
      if (!seen.includes(id)) visit(definitions[id] ?? {}, path, [...seen, id]);
      return;
    }
    if (path !== '' && dropsUnknownFields(schema)) droppingPaths.add(path);
    for (const inner of innerSchemas(schema)) visit(inner, path, seen);
    for (const [name, inner] of Object.entries(isRecord(schema.properties) ? schema.properties : {}))
      if (isRecord(inner)) visit(inner, path === '' ? name : `${path}.${name}`, seen);
  };
  visit(root, '', []);
  return [...droppingPaths];
}
