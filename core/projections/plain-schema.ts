// A schema without any reference: each definition is written out at its first use, and later uses refer to it in words. Some
// clients and models accept no `$ref`, not even in answers that contain schemas. Pure; called by listed-tool.ts and
// operation-catalogue.ts.
import { withoutCycles } from './schema-levels.ts';
import { type DefinedSchema, definitionOf, type JsonSchema, mapInner } from './schema-parts.ts';

/** A definition that is shorter than this as JSON is written out each time. */
const minDefinitionLength = 200;
/** If fields of the same name share a description longer than this, it is written only once. */
const minSharedText = 20;

/** The reference in words, `As in nodes[].wait.`, to a definition that is written out there. */
function referenceInWords({ type, anyOf, oneOf }: JsonSchema, siblings: JsonSchema, path: string): JsonSchema {
  const kind = type ?? ((anyOf ?? oneOf) as JsonSchema[] | undefined)?.[0]?.type;
  const text = typeof siblings.description === 'string' ? `${siblings.description} ` : '';
  return {
    ...siblings,
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
  const writtenPaths = new Map<string, string>();
  const writtenTexts = new Set<string>();
  const withoutRepeatedText = (part: JsonSchema, path: string): JsonSchema => {
    const { description, ...rest } = part;
    if (typeof description !== 'string' || description.length <= minSharedText) return part;
    const key = `${path.slice(path.lastIndexOf('.'))} ${description}`;
    if (writtenTexts.has(key)) return rest;
    writtenTexts.add(key);
    return part;
  };
  const write = (schema: JsonSchema, path: string): JsonSchema => {
    const id = definitionOf(schema);
    const part = id === undefined ? withoutRepeatedText(schema, path) : schema;
    const definition = id === undefined ? undefined : definitions[id];
    if (id === undefined || definition === undefined) {
      const firstBranches = new Map(branchesOf(part).map((branch) => [branch, write(branch, path)]));
      return mapInner(part, (inner, step) => firstBranches.get(inner) ?? write(inner, `${path}${step}`));
    }
    const { $ref: _, ...siblings } = part;
    const firstPath = writtenPaths.get(id);
    if (firstPath !== undefined && JSON.stringify(definition).length > minDefinitionLength)
      return referenceInWords(definition, siblings, firstPath);
    writtenPaths.set(id, path);
    return write({ ...definition, ...siblings }, path);
  };
  return write(schema, '');
}
