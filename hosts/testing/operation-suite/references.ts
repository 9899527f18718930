// Finds the fields of a query or a body that name rows, by their schema and their name, at any depth. A fixture must give each of
// them a foreign id, or state why it does not name a row. Called by missing.ts, sides.ts and errors.ts.
import type { FixtureRequest, ForeignIds } from '../../../core/contract/declaration/fixture.ts';
import type { Operation } from '../../../core/contract/declaration/operation.ts';
import { jsonSchemaOf } from '../../../core/projections/json-schema.ts';
import { definitionOf, isRecord, type JsonSchema } from '../../../core/projections/schema-parts.ts';

/** The parts of a request whose fields may name rows. */
export type FieldPart = 'query' | 'body';

/** The pattern of `idOf`. */
const idPattern = /^\^[a-z]+_\[0-9A-HJKMNP-TV-Z\]\{26\}\$$/;
const referenceName = /(?:[a-z0-9](?:Id|Key|Ref)|_(?:id|key|ref))s?$/;

/** Whether a field of this name refers to a row. The `id` of an item in a list usually names the item itself. */
const namesRow = (name: string, path: string): boolean =>
  referenceName.test(name) || (/^ids?$/.test(name) && !path.includes('[]'));

/** The paths of references in a part of the input: `contactIds`, `encodes.linkId`, `media[].assetId`. */
function pathsIn({ input }: Operation, part: FieldPart): ReadonlySet<string> {
  const paths = new Set<string>();
  const schema = input[part];
  if (schema === undefined) return paths;
  const { schema: root, definitions } = jsonSchemaOf(schema, 'input');

  /** Every schema that a value at this path may have. Follows references and expands alternatives. */
  const formsOf = (schema: JsonSchema, seen: readonly string[]): (readonly [JsonSchema, readonly string[]])[] => {
    const id = definitionOf(schema);
    if (id !== undefined) return seen.includes(id) ? [] : formsOf(definitions[id] ?? {}, [...seen, id]);
    const parts = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => (Array.isArray(list) ? list : []));
    return [[schema, seen] as const, ...parts.filter(isRecord).flatMap((one) => formsOf(one, seen))];
  };
  /** Whether the schema accepts texts that are not in a closed list. */
  const takesText = (schema: JsonSchema, seen: readonly string[]): boolean =>
    formsOf(schema, seen).some(
      ([form, inside]) =>
        (form.type === 'string' && form.enum === undefined && form.const === undefined) ||
        [form.items, form.additionalProperties].some((inner) => isRecord(inner) && takesText(inner, inside)),
    );
  const visit = (schema: JsonSchema, path: string, seen: readonly string[]): void => {
    for (const [form, inside] of formsOf(schema, seen)) {
      if (typeof form.pattern === 'string' && idPattern.test(form.pattern) && path !== '') paths.add(path);
      if (isRecord(form.items)) visit(form.items, `${path}[]`, inside);
      if (isRecord(form.additionalProperties)) visit(form.additionalProperties, `${path}.*`, inside);
      for (const [name, inner] of Object.entries(isRecord(form.properties) ? form.properties : {})) {
        if (!isRecord(inner)) continue;
        const innerPath = path === '' ? name : `${path}.${name}`;
        if (namesRow(name, path) && takesText(inner, inside)) paths.add(innerPath);
        visit(inner, innerPath, inside);
      }
    }
  };
  visit(root, '', []);
  return paths;
}

const cache = new WeakMap<Operation, Record<FieldPart, ReadonlySet<string>>>();

/** The paths of references in the query and the body. */
export function referencesOf(operation: Operation): Record<FieldPart, ReadonlySet<string>> {
  const paths = cache.get(operation) ?? { query: pathsIn(operation, 'query'), body: pathsIn(operation, 'body') };
  cache.set(operation, paths);
  return paths;
}

const stepsOf = (path: string): string[] => path.split(/\.|(?=\[)/);

/** Whether `path` is `outer` or lies below it. `*` matches any name of a record. */
const isWithin = (path: string, outer: string): boolean => {
  const steps = stepsOf(path);
  return stepsOf(outer).every((step, index) => step === steps[index] || (step === '*' && steps[index] !== undefined));
};

/** The field of the request to which a name in `foreign` belongs: the first part of its path. */
export const fieldOfPath = (path: string): string => path.split(/[.[]/, 1)[0] as string;

/** Calls `change` with each text in a value and its path. Returns the value with the texts replaced. */
function eachText(value: unknown, path: string, change: (text: string, path: string) => string): unknown {
  if (typeof value === 'string') return change(value, path);
  if (Array.isArray(value)) return value.map((inner) => eachText(inner, `${path}[]`, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, eachText(inner, `${path}.${name}`, change)]),
  );
}

/** The texts of a field's value that name rows, with their paths. All texts if no reference is known. */
function idsAt(references: ReadonlySet<string>, name: string, value: unknown): (readonly [string, string])[] {
  const texts: (readonly [string, string])[] = [];
  eachText(value, fieldOfPath(name), (text, path) => {
    texts.push([text, path]);
    return text;
  });
  const referencePaths = typeof value === 'string' || name !== fieldOfPath(name) ? [name] : [...references];
  const textsOfRows = texts.filter(([, path]) => referencePaths.some((place) => isWithin(path, place)));
  return textsOfRows.length === 0 ? texts : textsOfRows;
}

/** The texts that name rows in the value of a field of `foreign`. */
export const idsInField = (operation: Operation, part: FieldPart, name: string, value: unknown): string[] =>
  idsAt(referencesOf(operation)[part], name, value).map(([text]) => text);

const another = (text: string): string => `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`;

/** `ids` with each id that names a row replaced by an id of the same format that no row has. */
export function withUnknownIds(operation: Operation, ids: ForeignIds): ForeignIds {
  const fields = (part: FieldPart): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(ids[part] ?? {}).map(([name, value]) => {
        const places = new Set(idsAt(referencesOf(operation)[part], name, value).map(([, path]) => path));
        return [name, eachText(value, fieldOfPath(name), (text, path) => (places.has(path) ? another(text) : text))];
      }),
    );
  return {
    ...(ids.params === undefined ? {} : { params: eachText(ids.params, '', another) as Record<string, string> }),
    query: fields('query') as Record<string, string>,
    body: fields('body'),
  };
}

/** The paths in a request at which its fixture names an existing row, regardless of the field's name. */
export function rowReferencesIn(
  keys: ReadonlySet<string>,
  fixture: FixtureRequest,
): Record<FieldPart, ReadonlySet<string>> {
  const placesIn = (value: unknown): ReadonlySet<string> => {
    const paths = new Set<string>();
    eachText(value, '', (text, path) => {
      if (keys.has(text)) paths.add(path.slice(1));
      return text;
    });
    return paths;
  };
  return { query: placesIn(fixture.query), body: placesIn(fixture.body) };
}

/** The references for which a fixture gives neither a foreign id nor a reason: `body.encodes.linkId`. */
export function untestedReferences(
  operation: Operation,
  foreign: ForeignIds,
  used: Record<FieldPart, ReadonlySet<string>>,
): string[] {
  const declared = referencesOf(operation);
  const all = (part: FieldPart): ReadonlySet<string> => {
    const isDeclared = (path: string): boolean => [...declared[part]].some((outer) => isWithin(path, outer));
    return new Set([...declared[part], ...[...used[part]].filter((path) => !isDeclared(path))]);
  };
  const references = { query: all('query'), body: all('body') };
  return (['query', 'body'] as const).flatMap((part) => {
    const foreignValues = Object.entries(foreign[part] ?? {});
    const isTried = (reference: string): boolean =>
      foreignValues.some(([name, value]) =>
        isForeignExemption(value)
          ? isWithin(reference, name)
          : name === reference || idsAt(references[part], name, value).some(([, path]) => isWithin(path, reference)),
      );
    return [...references[part]].filter((reference) => !isTried(reference)).map((reference) => `${part}.${reference}`);
  });
}

/** Whether the value of a field in `foreign` states why it does not name a row. */
export const isForeignExemption = (value: unknown): value is string =>
  typeof value === 'string' && /^skipped: \S/.test(value);

/** Only the values that name rows. */
export function withoutForeignExemptions(foreign: ForeignIds): ForeignIds {
  const idsIn = <T>(values: Readonly<Record<string, T>> = {}): Record<string, T> =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => !isForeignExemption(value)));
  return { ...foreign, query: idsIn(foreign.query), body: idsIn(foreign.body) };
}
