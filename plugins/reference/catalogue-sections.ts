// What is listed once for the whole service: scopes and presets, objects of an area, events, error codes.
import type { OpenapiDocument, Schema } from './document.ts';
import { schemaOf, serviceName } from './document.ts';
import type { Html, Part } from './html.ts';
import { html, joined } from './html.ts';
import { codesOf } from './operation-section.ts';
import type { Area, OperationView } from './operations.ts';
import type { PanelForm } from './panels.ts';
import { heading, panel, section } from './panels.ts';
import { inline, sentence } from './prose.ts';
import { fieldList, fields, schemaView } from './schema-fields.ts';
import type { SchemaContext } from './schema-type.ts';
import { objectLink } from './schema-type.ts';
import { wayOutOf } from './way-out.ts';

const operationLink = ({ id, facts }: OperationView): Html => html`<a href="#${id}">${facts.summary}</a>`;

/** Every scope, what it implies, and which presets hold it. */
export function scopeSection(document: OpenapiDocument): Html {
  const presets = Object.entries(document['x-presets']);
  const rows = Object.entries(document['x-scopes']).map(([scope, { description, implies }]) => {
    const cells = presets.map(([name, held]) =>
      held.includes(scope) ? html`<td class="yes"><span>${name}</span></td>` : html`<td></td>`,
    );
    const more = joined(
      implies.map((other) => html`<a href="#scope.${other}"><code>${other}</code></a>`),
      ', ',
    );
    return html`<tr id="scope.${scope}"><th scope="row"><code>${scope}</code></th><td>${inline(sentence(description))}${implies.length > 0 && html` <span class="t">Implies ${more}.</span>`}</td>${cells}</tr>
`;
  });
  const text = html`${heading(2, 'scopes', 'Scopes')}
<p>A scope is what a key may do. A key is issued with scopes, or with a preset, which stands for those marked in its column. Any scope that is named <code>resource:verb</code> implies <code>resource:read</code>. What a key holds is settled when it is issued.</p>
<div class="wide"><table><thead><tr><th scope="col">Scope</th><th scope="col">Allows</th>${presets.map(([name]) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>
${rows}</tbody></table></div>`;
  return section('scopes', text, undefined, 'full');
}

/** The head of an area: its operations at a glance, its objects. */
export function areaSection({ name, title, operations, objects }: Area, context: SchemaContext): Html {
  const links = operations.map(
    ({ id, method, path }) =>
      html`<li><a href="#${id}"><span class="m ${method.toLowerCase()}">${method}</span> <code>${path}</code></a></li>`,
  );
  const routes = html`<div class="panel routes"><p>Operations</p><ul>${links}</ul></div>`;
  const views = objects.map((object, index) => objectView(object, objects.slice(0, index), context));
  const text = html`${heading(2, `area.${name}`, title)}${views}`;
  return section(`area.${name}`, text, routes, 'area');
}

/** An object before this one whose fields are all among its own, with the same meaning. */
function ancestorOf(schema: Schema, before: readonly string[], { document }: SchemaContext): string | undefined {
  const texts = new Map(Object.entries(schema.properties ?? {}).map(([name, field]) => [name, JSON.stringify(field)]));
  const holds = (name: string): boolean => {
    const fields = Object.entries(document.components.schemas[name]?.properties ?? {});
    return fields.length > 2 && fields.every(([field, form]) => texts.get(field) === JSON.stringify(form));
  };
  return before.find(holds);
}

/** The fields of a schema; those that it shares with an object before it are only named. */
function ownFields(schema: Schema, before: readonly string[], context: SchemaContext): Html {
  const ancestor = ancestorOf(schema, before, context);
  if (ancestor === undefined) return schemaView(schema, context, true);
  const known = new Set(Object.keys(context.document.components.schemas[ancestor]?.properties ?? {}));
  const properties = Object.entries(schema.properties ?? {}).filter(([field]) => !known.has(field));
  const own = { ...schema, properties: Object.fromEntries(properties) };
  return html`<p>All fields of ${objectLink(ancestor)}, and:</p>${schemaView(own, context, true)}`;
}

function objectView(name: string, before: readonly string[], context: SchemaContext): Html {
  const schema = schemaOf(context.document, { $ref: `#/components/schemas/${name}` });
  const within = { ...context, inside: [...context.inside, name] };
  const id = `object.${name}`;
  return html`<div class="object" id="${id}">${heading(3, id, html`${name} <span class="t">object</span>`)}${schema.description !== undefined && html`<p>${inline(sentence(schema.description))}</p>`}${ownFields(schema, before, within)}</div>`;
}

interface EventFamily {
  readonly data: Schema;
  readonly types: readonly string[];
}

/** Events that carry the same data are shown together. */
function familiesOf({ webhooks = {} }: OpenapiDocument): EventFamily[] {
  const families = new Map<string, { data: Schema; types: string[] }>();
  for (const [type, { post }] of Object.entries(webhooks)) {
    const data = post.requestBody?.content['application/json']?.schema.properties?.data ?? {};
    const text = JSON.stringify(data);
    const family = families.get(text) ?? { data, types: [] };
    families.set(text, family);
    family.types.push(type);
  }
  return [...families.values()];
}

function familySection({ data, types }: EventFamily, context: SchemaContext): Html {
  const { webhooks = {} } = context.document;
  const rows = types.map(
    (type) =>
      html`<li id="event.${type}"><p class="n"><a href="#event.${type}"><code>${type}</code></a></p><p>${inline(sentence(webhooks[type]?.post.description ?? ''))}</p></li>`,
  );
  const shapes = new Map<string, PanelForm>();
  for (const type of types) {
    const examples = webhooks[type]?.post.requestBody?.content['application/json']?.examples;
    const [example] = Object.values(examples ?? {});
    if (example === undefined) continue;
    const shape = JSON.stringify(example.value, (_, inner) => (typeof inner === 'string' ? '' : inner));
    if (!shapes.has(shape))
      shapes.set(shape, { title: type, code: JSON.stringify(example.value, null, 2), language: 'json' });
  }
  const forms = [...shapes.values()];
  const [first = ''] = types;
  const id = `events.${first}`;
  const families = [...new Set(types.map((type) => `${type.split('.', 1)[0]}.*`))];
  const title = types.length === 1 ? first : families.join(', ');
  const text = html`${heading(3, id, html`<code>${title}</code>`)}<ul class="f">${rows}</ul><h4>data</h4>${ownFields(data, [...context.objects], context)}`;
  return section(id, text, panel('Delivery', forms), 'op');
}

/** The events: their envelope, then each family. */
export function eventSections(context: SchemaContext): Html[] {
  const { document } = context;
  const [any] = Object.values(document.webhooks ?? {});
  if (any === undefined) return [];
  const schema = any.post.requestBody?.content['application/json']?.schema ?? {};
  const { data: _, ...envelope } = schema.properties ?? {};
  const type = { ...envelope.type, const: undefined };
  const head = (any.post.parameters ?? []).map(({ name, description = '', schema: form }) => ({
    name,
    schema: { ...form, description },
    mark: undefined,
  }));
  const text = html`${heading(2, 'events', 'Events')}
<p>What the service tells of itself, in the transaction in which it happens: nothing is told that was rolled back. Each delivery is a POST to the addresses that subscribe; any answer but 2xx is tried again.</p>
<h3 class="minor">Headers</h3>${fields(head, context)}<h3 class="minor">Body</h3>${fieldList({ ...schema, properties: { ...envelope, type, data: { type: 'object', description: 'What the event is about; see below.' } } }, context, true)}`;
  const brand = serviceName(document).replace(/[^A-Za-z0-9]/g, '');
  const code = `POST /your/endpoint HTTP/1.1\nContent-Type: application/json\n${head
    .map(({ name }) => `${name}: ${headerExamples[name.replace(`X-${brand}-`, '')] ?? '…'}`)
    .join('\n')}`;
  return [
    section('events', text, panel('Delivery', [{ title: 'Delivery', code, language: 'http' }])),
    ...familiesOf(document).map((family) => familySection(family, context)),
  ];
}

const headerExamples: Readonly<Record<string, string>> = {
  Event: 'send.queued',
  Delivery: 'dlv_01JD0C8Z4V6QK3M9T2X5R7W8YB',
  Timestamp: '1795187045',
  Signature: 'v1=6f1b…',
};

/** Who answers a code: by name where they are few. */
function whereOf(by: readonly OperationView[], all: number): Part {
  if (by.length === 0) return '–';
  if (by.length > 6) return by.length >= all - 1 ? 'every operation' : `${by.length} operations`;
  return joined(by.map(operationLink), ', ');
}

/** Every code with its way out, and who answers it. */
export function errorSection(document: OpenapiDocument, operations: readonly OperationView[]): Html {
  const users = new Map<string, OperationView[]>();
  for (const operation of operations)
    for (const code of codesOf(operation, document)) users.set(code, [...(users.get(code) ?? []), operation]);
  const codes = Object.entries(document['x-errors']).sort(([, a], [, b]) => a.status - b.status);
  const rows = codes.map(([code, facts]) => {
    const { meaning, wayOut } = wayOutOf(facts);
    const where = whereOf(users.get(code) ?? [], operations.length);
    return html`<tr id="error.${code}"><th scope="row"><a href="#error.${code}"><code>${code}</code></a></th><td>${facts.status}</td><td>${inline(meaning)} <span class="out">${inline(wayOut)}</span></td><td>${where}</td></tr>
`;
  });
  const text = html`${heading(2, 'errors', 'Error codes')}
<p>What each code means and what to do about it. The <a href="#envelope">envelope</a> around them is always the same.</p>
<div class="wide"><table class="errors"><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning and way out</th><th scope="col">Answered by</th></tr></thead><tbody>
${rows}</tbody></table></div>`;
  return section('errors', text, undefined, 'full');
}
