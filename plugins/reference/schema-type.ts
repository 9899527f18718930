// The values that a schema accepts, in words: its type, its limits, its enumerated values. Called by schema-fields.ts, sample.ts and
// the sections. Pure.

import { type Html, type HtmlPart, html, joined } from '../../core/unstable.ts';
import { nameOf, type OpenapiDocument, type Schema, schemaOf } from './document.ts';

/** The context on which the wording depends. */
export interface SchemaContext {
  readonly document: OpenapiDocument;
  /** Schemas that the page shows under headings of their own: it links them instead of repeating them. */
  readonly objects: ReadonlySet<string>;
  /** The schemas that contain this one. A recursive reference is named, not expanded. */
  readonly parents: readonly string[];
}

const isNull = ({ type, const: value }: Schema): boolean => type === 'null' || value === null;

/** The schema without its null branch or null type, and whether it had one. */
export function withoutNull(schema: Schema): { readonly schema: Schema; readonly nullable: boolean } {
  const { anyOf, type } = schema;
  if (anyOf?.some(isNull)) {
    const branches = anyOf.filter((branch) => !isNull(branch));
    const { anyOf: _, ...beside } = schema;
    const [only] = branches;
    return {
      schema: branches.length === 1 && only ? { ...only, ...beside } : { ...beside, anyOf: branches },
      nullable: true,
    };
  }
  if (typeof type !== 'object' || !type.includes('null')) return { schema, nullable: false };
  const types = type.filter((name) => name !== 'null');
  return { schema: { ...schema, type: types.length === 1 ? (types[0] ?? 'null') : types }, nullable: true };
}

/** The alternatives of a schema, if it has any. */
export const branchesOf = ({ anyOf, oneOf }: Schema): readonly Schema[] => anyOf ?? oneOf ?? [];

/** The link to an object on the page. */
export const objectLink = (name: string): Html => html`<a href="#object.${name}">${name}</a>`;

const formats: Readonly<Record<string, string>> = {
  'date-time': 'time',
  uri: 'URL',
  uuid: 'UUID',
  email: 'email address',
};

function nameOfType(schema: Schema, context: SchemaContext): HtmlPart {
  const { type, format, items, additionalProperties: values } = schema;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  const branches = branchesOf(schema);
  if (branches.length > 0) {
    const names = branches.map((branch) => typeName(branch, context));
    return joined(
      [...new Set(names.map(({ html: text }) => text))].map((text) => ({ html: text })),
      ' or ',
    );
  }
  if (type === 'array') return items === undefined ? 'array' : html`array of ${typeName(items, context)}`;
  if (type === 'object' && schema.properties === undefined && typeof values === 'object') {
    return Object.keys(values).length === 0 ? 'object' : html`map of ${typeName(values, context)}`;
  }
  if (typeof type === 'object') return type.join(' or ');
  if (type === undefined) return schema.enum === undefined ? 'any' : 'string';
  return format === undefined ? type : (formats[format] ?? format);
}

/** The type in words, with links to the objects of the page. */
export function typeName(input: Schema, context: SchemaContext): Html {
  const { schema, nullable } = withoutNull(input);
  const suffix = nullable ? ' or null' : '';
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    if (context.objects.has(name) && !context.parents.includes(name)) return html`${objectLink(name)}${suffix}`;
    if (context.parents.includes(name)) return html`${name}${suffix}`;
  }
  return html`${nameOfType(schemaOf(context.document, schema), context)}${suffix}`;
}

function range(min: number | undefined, max: number | undefined, unit: string): string[] {
  if (min !== undefined && max !== undefined) {
    return [min === max ? `exactly ${min}${unit}` : `${min} to ${max}${unit}`];
  }
  if (min !== undefined) return [`at least ${min}${unit}`];
  return max === undefined ? [] : [`at most ${max}${unit}`];
}

/** The limits of a value. */
export function limitsOf(schema: Schema): HtmlPart[] {
  const { exclusiveMinimum: above, exclusiveMaximum: below, pattern } = schema;
  return [
    ...range(schema.minLength, schema.maxLength, ' characters'),
    ...range(schema.minimum, schema.maximum, ''),
    ...range(schema.minItems, schema.maxItems, ' items'),
    ...(above === undefined ? [] : [`more than ${above}`]),
    ...(below === undefined ? [] : [`less than ${below}`]),
    ...(pattern === undefined || pattern.length > 80 ? [] : [html`matches <code>${pattern}</code>`]),
    ...(schema.default === undefined ? [] : [html`default <code>${JSON.stringify(schema.default)}</code>`]),
  ];
}

/** The values of an enumeration, of the schema or of its items. */
export const valuesOf = (schema: Schema): readonly unknown[] => schema.enum ?? schema.items?.enum ?? [];
