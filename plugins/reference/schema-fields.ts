// A schema as nested lists of fields: name, type, whether it is required, description. Called by the sections.

import { type Html, type HtmlPart, html, joined } from '../../core/unstable.ts';
import { nameOf, type Schema, schemaOf } from './document.ts';
import { inline, sentence } from './prose.ts';
import { branchesOf, limitsOf, type SchemaContext, typeName, valuesOf, withoutNull } from './schema-type.ts';

/** One line of a list. */
interface FieldView {
  readonly name: string;
  readonly schema: Schema;
  /** Shown beside the type. */
  readonly mark: 'required' | 'optional' | undefined;
  readonly note?: HtmlPart;
}

/** The schema inside lists and maps. */
function innermostSchema(given: Schema): Schema {
  const { schema } = withoutNull(given);
  if (schema.items !== undefined) return innermostSchema(schema.items);
  const values = schema.additionalProperties;
  if (schema.properties === undefined && typeof values === 'object' && Object.keys(values).length > 0)
    return innermostSchema(values);
  return schema;
}

/** The heading of a form: its field with a fixed value, such as `kind: delay`, if it has one. */
function formName(schema: Schema, index: number): HtmlPart {
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    if (typeof property.const === 'string') return html`<code>${name}: ${property.const}</code>`;
  return `Form ${index + 1}`;
}

function nestedFields(given: Schema, context: SchemaContext, isAnswer: boolean): HtmlPart {
  const itemSchema = innermostSchema(given);
  const name = itemSchema.$ref === undefined ? undefined : nameOf(itemSchema.$ref);
  if (name !== undefined && (context.objects.has(name) || context.parents.includes(name))) return undefined;
  const innerContext = name === undefined ? context : { ...context, parents: [...context.parents, name] };
  const schema = schemaOf(context.document, itemSchema);
  if (schema.properties !== undefined) {
    const list = fieldList(schema, innerContext, isAnswer);
    const count = Object.keys(schema.properties).length;
    return html`<details><summary>${count} ${count === 1 ? 'field' : 'fields'}</summary>${list}</details>`;
  }
  const branches = branchesOf(schema).filter((branch) => schemaOf(context.document, branch).properties !== undefined);
  return branches.map((branch, index) => {
    const form = schemaOf(context.document, branch);
    return html`<details><summary>${formName(form, index)}</summary>${fieldList(form, innerContext, isAnswer)}</details>`;
  });
}

const defaultPattern = / ?Default: (.+)\.$/;

/** Moves a default from the end of a request field's description (openapi-components.ts) to its limits. */
function withDefault(
  about: string | undefined,
  limits: readonly HtmlPart[],
): { about: string | undefined; limits: readonly HtmlPart[] } {
  const value = about?.match(defaultPattern)?.[1];
  if (about === undefined || value === undefined) return { about, limits };
  const textWithoutDefault = about.replace(defaultPattern, '');
  return {
    about: textWithoutDefault === '' ? undefined : textWithoutDefault,
    limits: [...limits, html`default <code>${value}</code>`],
  };
}

function field({ name, schema: given, mark, note }: FieldView, context: SchemaContext, isAnswer: boolean): Html {
  const { schema } = withoutNull(given);
  const resolved = schemaOf(context.document, schema);
  const isLinked = schema.$ref !== undefined && context.objects.has(nameOf(schema.$ref));
  const values = isLinked ? [] : valuesOf(resolved);
  const description = given.description ?? schema.description ?? (isLinked ? undefined : resolved.description);
  const { about, limits } = withDefault(description, isLinked ? [] : limitsOf(resolved));
  return html`<li><p class="n"><code>${name}</code> <span class="t">${typeName(given, context)}</span>${mark !== undefined && html` <span class="${mark === 'required' ? 'must' : 'may'}">${mark}</span>`}</p>${about !== undefined && html`<p>${inline(sentence(about))}</p>`}${note !== undefined && html`<p>${note}</p>`}${
    values.length > 0 &&
    html`<p class="v">${joined(
      values.map((value) => html`<code>${String(value)}</code>`),
      ' ',
    )}</p>`
  }${limits.length > 0 && html`<p class="l">${joined(limits, ' · ')}</p>`}${nestedFields(given, context, isAnswer)}</li>`;
}

/** A list of fields with their own marks. */
export const fields = (views: readonly FieldView[], context: SchemaContext, isAnswer = false): Html =>
  html`<ul class="f">${views.map((view) => field(view, context, isAnswer))}</ul>`;

/** The properties of an object. Requests mark the required properties, responses the optional ones. */
export function fieldList(schema: Schema, context: SchemaContext, isAnswer: boolean): Html {
  const required = new Set(schema.required);
  const views = Object.entries(schema.properties ?? {}).map(([name, property]): FieldView => {
    const isRequired = required.has(name);
    return {
      name,
      schema: property,
      mark: isAnswer ? (isRequired ? undefined : 'optional') : isRequired ? 'required' : undefined,
    };
  });
  return fields(views, context, isAnswer);
}

/** A whole schema: its fields, or its type if it has no fields. */
export function schemaView(input: Schema, context: SchemaContext, isAnswer: boolean): Html {
  const name = input.$ref === undefined ? undefined : nameOf(input.$ref);
  const schema = schemaOf(context.document, input);
  const innerContext = name === undefined ? context : { ...context, parents: [...context.parents, name] };
  if (schema.properties !== undefined) return fieldList(schema, innerContext, isAnswer);
  const branches = branchesOf(schema);
  if (branches.length === 0) return html`<p>${typeName(input, context)}</p>`;
  return html`${branches.map(
    (branch, index) =>
      html`<details${index === 0 && html` open`}><summary>${formName(schemaOf(context.document, branch), index)}</summary>${schemaView(branch, innerContext, isAnswer)}</details>`,
  )}`;
}
