// Objects inside a body that drop the fields that they do not know: a misspelt field would be lost without a word. Called by
// ordinary.ts.
import type { Operation } from '../../../core/contract/operation.ts';
import { definitionOf, isRecord, type JsonSchema, jsonSchemaOf } from '../../../core/projections/json-schema.ts';

/** Whether a field that no property names is dropped: strict objects refuse it, records and loose ones keep it. */
const drops = (schema: JsonSchema): boolean =>
  isRecord(schema.properties) && schema.additionalProperties === undefined && schema.patternProperties === undefined;

/** The schemas that a value at this place may have, or one in its list or record. */
const within = ({ anyOf, oneOf, allOf, items, additionalProperties, prefixItems }: JsonSchema): JsonSchema[] =>
  [anyOf, oneOf, allOf, prefixItems, [items], [additionalProperties]].flatMap((list) =>
    Array.isArray(list) ? list.filter(isRecord) : [],
  );

/** The paths of the objects below the body itself, such as `owner` and `lines[].price`. */
export function droppingObjects({ input }: Operation): string[] {
  if (input.body === undefined) return [];
  const { schema: root, definitions } = jsonSchemaOf(input.body, 'input');
  const found = new Set<string>();
  const visit = (given: JsonSchema, path: string, seen: readonly string[]): void => {
    const id = definitionOf(given);
    if (id !== undefined) {
      if (!seen.includes(id)) visit(definitions[id] ?? {}, path, [...seen, id]);
      return;
    }
    if (path !== '' && drops(given)) found.add(path);
    for (const inner of within(given)) visit(inner, path, seen);
    for (const [name, inner] of Object.entries(isRecord(given.properties) ? given.properties : {}))
      if (isRecord(inner)) visit(inner, path === '' ? name : `${path}.${name}`, seen);
  };
  visit(root, '', []);
  return [...found];
}
