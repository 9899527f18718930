// The lists of the whole service: scopes and presets, objects of an area, error codes.

import { type Html, type HtmlPart, html, joined } from '../../core/unstable.ts';
import { type OpenapiDocument, type Schema, schemaOf } from './document.ts';
import { solutionOf } from './error-solution.ts';
import { codesOf } from './operation-section.ts';
import type { OperationView, ReferenceArea } from './operations.ts';
import { heading, section } from './panels.ts';
import { inline, sentence } from './prose.ts';
import { schemaView } from './schema-fields.ts';
import { objectLink, type SchemaContext } from './schema-type.ts';

const operationLink = ({ id, spec }: OperationView): Html => html`<a href="#${id}">${spec.summary}</a>`;

/** Every scope, the scopes that it implies, and the presets that contain it. */
export function scopeSection(document: OpenapiDocument): Html {
  const presets = Object.entries(document['x-presets']);
  const rows = Object.entries(document['x-scopes']).map(([scope, { description, implies }]) => {
    const cells = presets.map(([name, held]) =>
      held.includes(scope) ? html`<td class="yes"><span>${name}</span></td>` : html`<td></td>`,
    );
    const impliedScopes = joined(
      implies.map((other) => html`<a href="#scope.${other}"><code>${other}</code></a>`),
      ', ',
    );
    return html`<tr id="scope.${scope}"><th scope="row"><code>${scope}</code></th><td>${inline(sentence(description))}${implies.length > 0 && html` <span class="t">Implies ${impliedScopes}.</span>`}</td>${cells}</tr>
`;
  });
  const text = html`${heading(2, 'scopes', 'Scopes')}
<p>A scope is what a key may do. A key is issued with scopes, or with a preset, which contains the scopes marked in its column. Any scope that is named <code>resource:verb</code> implies <code>resource:read</code>. The scopes of a key are fixed when it is issued.</p>
<div class="wide"><table><thead><tr><th scope="col">Scope</th><th scope="col">Allows</th>${presets.map(([name]) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>
${rows}</tbody></table></div>`;
  return section('scopes', text, undefined, 'full');
}

/** The head of an area: a summary of its operations, and its objects. */
export function areaSection({ name, title, operations, objects }: ReferenceArea, context: SchemaContext): Html {
  const links = operations.map(
    ({ id, method, path }) =>
      html`<li><a href="#${id}"><span class="m ${method.toLowerCase()}">${method}</span> <code>${path}</code></a></li>`,
  );
  const routes = html`<div class="panel routes"><p>Operations</p><ul>${links}</ul></div>`;
  const views = objects.map((object, index) => objectView(object, objects.slice(0, index), context));
  const text = html`${heading(2, `area.${name}`, title)}${views}`;
  return section(`area.${name}`, text, routes, 'area');
}

/** An earlier object whose fields this object also has, all with the same schema. */
function ancestorOf(schema: Schema, earlier: readonly string[], { document }: SchemaContext): string | undefined {
  const texts = new Map(Object.entries(schema.properties ?? {}).map(([name, field]) => [name, JSON.stringify(field)]));
  const hasAllFieldsOf = (name: string): boolean => {
    const fields = Object.entries(document.components.schemas[name]?.properties ?? {});
    return fields.length > 2 && fields.every(([field, form]) => texts.get(field) === JSON.stringify(form));
  };
  return earlier.find(hasAllFieldsOf);
}

/** The fields of a schema. Fields that an earlier object also has are replaced by a link to that object. */
export function ownFields(schema: Schema, earlier: readonly string[], context: SchemaContext): Html {
  const ancestor = ancestorOf(schema, earlier, context);
  if (ancestor === undefined) return schemaView(schema, context, true);
  const fieldNames = new Set(Object.keys(context.document.components.schemas[ancestor]?.properties ?? {}));
  const properties = Object.entries(schema.properties ?? {}).filter(([field]) => !fieldNames.has(field));
  const ownSchema = { ...schema, properties: Object.fromEntries(properties) };
  return html`<p>All fields of ${objectLink(ancestor)}, and:</p>${schemaView(ownSchema, context, true)}`;
}

function objectView(name: string, earlier: readonly string[], context: SchemaContext): Html {
  const schema = schemaOf(context.document, { $ref: `#/components/schemas/${name}` });
  const innerContext = { ...context, parents: [...context.parents, name] };
  const id = `object.${name}`;
  return html`<div class="object" id="${id}">${heading(3, id, html`${name} <span class="t">object</span>`)}${schema.description !== undefined && html`<p>${inline(sentence(schema.description))}</p>`}${ownFields(schema, earlier, innerContext)}</div>`;
}

/** The operations that return a code: their names if there are few. */
function usersList(users: readonly OperationView[], all: number): HtmlPart {
  if (users.length === 0) return '–';
  if (users.length > 6) return users.length >= all - 1 ? 'every operation' : `${users.length} operations`;
  return joined(users.map(operationLink), ', ');
}

/** Every code with its solution, and the operations that return it. */
export function errorSection(document: OpenapiDocument, operations: readonly OperationView[]): Html {
  const users = new Map<string, OperationView[]>();
  for (const operation of operations)
    for (const code of codesOf(operation, document)) users.set(code, [...(users.get(code) ?? []), operation]);
  const codes = Object.entries(document['x-errors']).sort(([, a], [, b]) => a.status - b.status);
  const rows = codes.map(([code, info]) => {
    const { meaning, solution: wayOut } = solutionOf(info);
    const where = usersList(users.get(code) ?? [], operations.length);
    return html`<tr id="error.${code}"><th scope="row"><a href="#error.${code}"><code>${code}</code></a></th><td>${info.status}</td><td>${inline(meaning)} <span class="out">${inline(wayOut)}</span></td><td>${where}</td></tr>
`;
  });
  const text = html`${heading(2, 'errors', 'Error codes')}
<p>What each code means and what to do about it. The <a href="#envelope">envelope</a> around them is always the same.</p>
<div class="wide"><table class="errors"><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning and solution</th><th scope="col">Returned by</th></tr></thead><tbody>
${rows}</tbody></table></div>`;
  return section('errors', text, undefined, 'full');
}
