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
function innermost(given: Schema): Schema {
  const { schema } = withoutNull(given);
  if (schema.items !== undefined) return innermost(schema.items);
  const values = schema.additionalProperties;
  if (schema.properties === undefined && typeof values === 'object' && Object.keys(values).length > 0)
    return innermost(values);
  return schema;
}

/** The heading of a form: its field with a fixed value, such as `kind: delay`, if it has one. */
function formName(schema: Schema, index: number): HtmlPart {
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    if (typeof property.const === 'string') return html`<code>${name}: ${property.const}</code>`;
  return `Form ${index + 1}`;
}

function nested(given: Schema, context: SchemaContext, isAnswer: boolean): HtmlPart {
  const inner = innermost(given);
  const name = inner.$ref === undefined ? undefined : nameOf(inner.$ref);
  if (name !== undefined && (context.objects.has(name) || context.inside.includes(name))) return undefined;
  const within = name === undefined ? context : { ...context, inside: [...context.inside, name] };
  const schema = schemaOf(context.document, inner);
  if (schema.properties !== undefined) {
    const list = fieldList(schema, within, isAnswer);
    const count = Object.keys(schema.properties).length;
    return html`<details><summary>${count} ${count === 1 ? 'field' : 'fields'}</summary>${list}</details>`;
  }
  const branches = branchesOf(schema).filter((branch) => schemaOf(context.document, branch).properties !== undefined);
  return branches.map((branch, index) => {
    const form = schemaOf(context.document, branch);
    return html`<details><summary>${formName(form, index)}</summary>${fieldList(form, within, isAnswer)}</details>`;
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
  const rest = about.replace(defaultPattern, '');
  return { about: rest === '' ? undefined : rest, limits: [...limits, html`default <code>${value}</code>`] };
}

function field({ name, schema: given, mark, note }: FieldView, context: SchemaContext, isAnswer: boolean): Html {
  const { schema } = withoutNull(given);
  const whole = schemaOf(context.document, schema);
  const linked = schema.$ref !== undefined && context.objects.has(nameOf(schema.$ref));
  const values = linked ? [] : valuesOf(whole);
  const description = given.description ?? schema.description ?? (linked ? undefined : whole.description);
  const { about, limits } = withDefault(description, linked ? [] : limitsOf(whole));
  return html`<li><p class="n"><code>${name}</code> <span class="t">${typeName(given, context)}</span>${mark !== undefined && html` <span class="${mark === 'required' ? 'must' : 'may'}">${mark}</span>`}</p>${about !== undefined && html`<p>${inline(sentence(about))}</p>`}${note !== undefined && html`<p>${note}</p>`}${
    values.length > 0 &&
    html`<p class="v">${joined(
      values.map((value) => html`<code>${String(value)}</code>`),
      ' ',
    )}</p>`
  }${limits.length > 0 && html`<p class="l">${joined(limits, ' · ')}</p>`}${nested(given, context, isAnswer)}</li>`;
}

/** A list of fields with their own marks. */
export const fields = (views: readonly FieldView[], context: SchemaContext, isAnswer = false): Html =>
  html`<ul class="f">${views.map((view) => field(view, context, isAnswer))}</ul>`;

/** The properties of an object. Requests mark the required properties, responses the optional ones. */
export function fieldList(schema: Schema, context: SchemaContext, isAnswer: boolean): Html {
  const required = new Set(schema.required);
  const views = Object.entries(schema.properties ?? {}).map(([name, property]): FieldView => {
    const must = required.has(name);
    return {
      name,
      schema: property,
      mark: isAnswer ? (must ? undefined : 'optional') : must ? 'required' : undefined,
    };
  });
  return fields(views, context, isAnswer);
}

/** A whole schema: its fields, or its type if it has no fields. */
export function schemaView(input: Schema, context: SchemaContext, isAnswer: boolean): Html {
  const name = input.$ref === undefined ? undefined : nameOf(input.$ref);
  const schema = schemaOf(context.document, input);
  const within = name === undefined ? context : { ...context, inside: [...context.inside, name] };
  if (schema.properties !== undefined) return fieldList(schema, within, isAnswer);
  const branches = branchesOf(schema);
  if (branches.length === 0) return html`<p>${typeName(input, context)}</p>`;
  return html`${branches.map(
    (branch, index) =>
      html`<details${index === 0 && html` open`}><summary>${formName(schemaOf(context.document, branch), index)}</summary>${schemaView(branch, within, isAnswer)}</details>`,
  )}`;
}
