// The arguments of a tool as tools/list shows them: short, but enough for a model to choose and call the tool. The complete
// schema is in the answer of search_tools, and in lists with ?schemas=full. Pure; called by listed-tool.ts.
import { pageQuery } from '../contract/schemas/fields.ts';
import { type JsonSchema, mapInner } from './schema-parts.ts';

/** Above this size, in characters of JSON, inner objects are left out. */
const maxCharacters = 1_500;
/** Limits of numbers from this value on are left out, because callers hardly ever need such large numbers. */
const minOmittedLimit = 1_000_000;
/** The deepest level whose fields keep their descriptions. */
const describedDepth = 1;

/**
 * Keywords that are left out, because a refusal names these limits. Limits of numbers stay: a model often chooses a number, but
 * rarely the length of a text.
 */
const omittedKeywords: ReadonlySet<string> = new Set([
  ...['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'propertyNames'],
]);

/** Whether a keyword is redundant: a default that equals a missing field, or a limit that a model guesses. */
function isRedundant(name: string, value: unknown): boolean {
  const text = JSON.stringify(value);
  if (name === 'default') return ['null', '[]', '{}', '""'].includes(text);
  if (name === 'additionalProperties') return ['false', 'true', '{}'].includes(text);
  if (name === 'maximum') return typeof value === 'number' && value >= minOmittedLimit;
  return name === 'minimum' && (value === 0 || value === 1);
}

/** Whether a text only names the prefix of an id. It is left out, because the field's name and the listing tool show it. */
const isPrefix = (text: string): boolean => /^Prefix \w+_\.$/.test(text);

/** Texts of the arguments of all lists, which the server's instructions explain. */
let sharedTexts: ReadonlySet<unknown> | undefined;
function isSharedText(text: unknown): boolean {
  sharedTexts ??= new Set(Object.values(pageQuery).map(({ description }) => description));
  return sharedTexts.has(text);
}

/** The first sentences up to a length. A part in brackets at the end of the text, such as the default, is kept. */
export function firstSentence(text: string, shortest = 1): string {
  const end = new RegExp(`^.{${shortest - 1},}?[.:;](?= [A-Z(]|$)`, 's');
  const [first = text] = end.exec(text) ?? [];
  const [bracketedEnd = ''] = /\(Default: [^)]*\)$/.exec(text) ?? [];
  return first.includes(bracketedEnd) ? first : `${first} ${bracketedEnd}`;
}

const branchesOf = ({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] => (anyOf ?? oneOf ?? []) as JsonSchema[];

const hasFields = (schema: JsonSchema): boolean =>
  schema.properties !== undefined || branchesOf(schema).some((branch) => hasFields(branch));

/** The type of a schema, or of its first branch that is not null. */
const typeOf = (schema: JsonSchema): unknown =>
  schema.type ??
  branchesOf(schema)
    .map(typeOf)
    .find((type) => type !== 'null');

function shorten({ ...schema }: JsonSchema, depth: number, deepest: number, isDescribedAbove = false): JsonSchema {
  // The description of the whole argument is more useful than the description of a branch.
  if (isDescribedAbove) delete schema.description;
  if (isSharedText(schema.description)) return { type: typeOf(schema) };
  if (depth >= deepest && hasFields(schema)) {
    const { description } = schema;
    const isDescribed = typeof description === 'string' && depth <= describedDepth + 1;
    return { type: typeOf(schema), ...(isDescribed ? { description: firstSentence(description) } : {}) };
  }
  const keptEntries = Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
    if (omittedKeywords.has(name) || isRedundant(name, value)) return [];
    if (name !== 'description' || typeof value !== 'string') return [[name, value]];
    return depth > describedDepth || isPrefix(value) ? [] : [[name, firstSentence(value)]];
  });
  const isDescribedHere = schema.description !== undefined;
  return mapInner(Object.fromEntries(keptEntries), (inner, step) =>
    step === '' ? shorten(inner, depth, deepest, isDescribedHere) : shorten(inner, depth + 1, deepest),
  );
}

/** A shortened schema. */
export interface ShortSchema {
  readonly schema: JsonSchema;
  /** Whether fields of inner objects are left out. */
  readonly isPartial: boolean;
}

/**
 * Shortens a schema without references. With `mayCut`, a large schema loses the fields of its inner objects, the
 * innermost first.
 */
export function shortSchema(schemaToShorten: JsonSchema, { mayCut }: { readonly mayCut: boolean }): ShortSchema {
  const complete = shorten(schemaToShorten, 0, Number.POSITIVE_INFINITY);
  if (!mayCut || JSON.stringify(complete).length <= maxCharacters) return { schema: complete, isPartial: false };
  for (const deepest of [4, 3]) {
    const schema = shorten(schemaToShorten, 0, deepest);
    if (JSON.stringify(schema).length <= maxCharacters) return { schema, isPartial: true };
  }
  return { schema: shorten(schemaToShorten, 0, 2), isPartial: true };
}
