// Recursive definitions as levels: a schema that refers to itself is written out three levels deep, because some clients refuse a
// tool, or the whole list, for a reference that leads back to itself. Pure; called by json-schema.ts.
import { type DefinedSchema, definitionOf, definitionPrefix, type JsonSchema, mapSchema } from './schema-parts.ts';

const levels = 3;

function referencesOf(schema: JsonSchema): ReadonlySet<string> {
  const ids = new Set<string>();
  mapSchema(schema, (part) => {
    const id = definitionOf(part);
    if (id !== undefined) ids.add(id);
    return part;
  });
  return ids;
}

/** The definitions that refer to themselves, directly or through other definitions. */
function recursiveIds(definitions: DefinedSchema['definitions']): ReadonlySet<string> {
  const direct = new Map(Object.entries(definitions).map(([id, schema]) => [id, referencesOf(schema)]));
  const refersToItself = (start: string): boolean => {
    const seen = new Set<string>();
    const pendingIds = [...(direct.get(start) ?? [])];
    for (let id = pendingIds.pop(); id !== undefined; id = pendingIds.pop()) {
      if (id === start) return true;
      if (seen.has(id)) continue;
      seen.add(id);
      pendingIds.push(...(direct.get(id) ?? []));
    }
    return false;
  };
  return new Set([...direct.keys()].filter(refersToItself));
}

const nameOf = (id: string, level: number): string => (level === 1 ? id : `${id}Level${level}`);

function isObject({ definitions }: DefinedSchema, schema: JsonSchema): boolean {
  const { type, anyOf, oneOf } = definitions[definitionOf(schema) ?? ''] ?? schema;
  if (type === 'object') return true;
  const branches = anyOf ?? oneOf;
  return Array.isArray(branches) && branches.every((branch) => isObject({ schema, definitions }, branch));
}

/** The same schema without cycles. Below the last level, every value of the right type is accepted. */
export function withoutCycles(defined: DefinedSchema): DefinedSchema {
  const recursive = recursiveIds(defined.definitions);
  if (recursive.size === 0) return defined;
  const definitions: Record<string, JsonSchema> = { ...defined.definitions };
  for (const id of recursive) {
    const definition = defined.definitions[id] ?? {};
    for (let level = 1; level <= levels; level += 1) {
      definitions[nameOf(id, level)] = mapSchema(definition, (part) => {
        const next = definitionOf(part);
        if (next === undefined || !recursive.has(next)) return part;
        if (level < levels) return { ...part, $ref: definitionPrefix + nameOf(next, level + 1) };
        return isObject(defined, part) ? { type: 'object' } : {};
      });
    }
  }
  return { schema: defined.schema, definitions };
}
