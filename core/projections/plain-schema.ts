// A schema without any reference: each definition is written out where it is first used, and named in words where it is used
// again. Some clients and models accept no `$ref`, not even in answers that contain schemas. Pure; called by listed-tool.ts and
// operation-catalogue.ts.
import { withoutCycles } from './schema-levels.ts';
import { type DefinedSchema, definitionOf, type JsonSchema, mapInner } from './schema-parts.ts';

/** A definition that is shorter than this as JSON is written out each time. */
const shortest = 200;
/** If fields of the same name share a description longer than this, it is written only once. */
const shortestText = 20;

/** The reference in words, `As in nodes[].wait.`, to a definition that is written out there. */
function inWords({ type, anyOf, oneOf }: JsonSchema, beside: JsonSchema, path: string): JsonSchema {
  const kind = type ?? ((anyOf ?? oneOf) as JsonSchema[] | undefined)?.[0]?.type;
  const text = typeof beside.description === 'string' ? `${beside.description} ` : '';
  return {
    ...beside,
    ...(kind === undefined ? {} : { type: kind }),
    description: `${text}As in ${path.replace(/^\./, '')}.`,
  };
}

/**
 * The branches that are definitions. They are written before the others, so that no definition is written out deep in a branch.
 */
const branchesOf = ({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] =>
  ((anyOf ?? oneOf ?? []) as JsonSchema[]).filter((branch) => definitionOf(branch) !== undefined);

/** The schema with each definition written out once, and with repeated descriptions left out. */
export function plainSchema(defined: DefinedSchema): JsonSchema {
  const { schema, definitions } = withoutCycles(defined);
  const written = new Map<string, string>();
  const seen = new Set<string>();
  const saidOnce = (part: JsonSchema, path: string): JsonSchema => {
    const { description, ...rest } = part;
    if (typeof description !== 'string' || description.length <= shortestText) return part;
    const key = `${path.slice(path.lastIndexOf('.'))} ${description}`;
    if (seen.has(key)) return rest;
    seen.add(key);
    return part;
  };
  const write = (schema: JsonSchema, path: string): JsonSchema => {
    const id = definitionOf(schema);
    const part = id === undefined ? saidOnce(schema, path) : schema;
    const definition = id === undefined ? undefined : definitions[id];
    if (id === undefined || definition === undefined) {
      const early = new Map(branchesOf(part).map((branch) => [branch, write(branch, path)]));
      return mapInner(part, (inner, step) => early.get(inner) ?? write(inner, `${path}${step}`));
    }
    const { $ref: _, ...beside } = part;
    const first = written.get(id);
    if (first !== undefined && JSON.stringify(definition).length > shortest) return inWords(definition, beside, first);
    written.set(id, path);
    return write({ ...definition, ...beside }, path);
  };
  return write(schema, '');
}
