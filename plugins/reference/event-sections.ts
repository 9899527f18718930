// The events of the reference: the format of a delivery, then each family with its data and its examples. Called by
// page.ts.

import { type Html, type HtmlPart, html } from '../../core/unstable.ts';
import { ownFields } from './catalogue-sections.ts';
import { type OpenapiDocument, parameterOf, type Schema } from './document.ts';
import { heading, type PanelForm, panel, section } from './panels.ts';
import { inline, sentence } from './prose.ts';
import { fieldList, fields } from './schema-fields.ts';
import type { SchemaContext } from './schema-type.ts';

interface EventFamily {
  readonly data: Schema;
  readonly types: readonly string[];
}

/** Events with the same data are shown together as a family. */
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

interface DeliveredEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The parts of a delivery that differ from another delivery of its family. */
function differences({ type, data }: DeliveredEvent, other: DeliveredEvent): DeliveredEvent {
  const ownFields = Object.entries(data).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(other.data[name]),
  );
  return { type, data: Object.fromEntries(ownFields) };
}

/** One example of each shape: the first is complete, the others show their differences only. */
function examplesOf(types: readonly string[], { webhooks = {} }: OpenapiDocument): PanelForm[] {
  const shapes = new Map<string, PanelForm>();
  let first: DeliveredEvent | undefined;
  for (const type of types) {
    const examples = webhooks[type]?.post.requestBody?.content['application/json']?.examples;
    const [example] = Object.values(examples ?? {});
    if (example === undefined) continue;
    const shape = JSON.stringify(example.value, (_, inner) => (typeof inner === 'string' ? '' : inner));
    if (shapes.has(shape)) continue;
    const delivered = example.value as DeliveredEvent;
    const visible = first === undefined ? delivered : differences(delivered, first);
    first ??= delivered;
    shapes.set(shape, { title: type, code: JSON.stringify(visible, null, 2), language: 'json' });
  }
  return [...shapes.values()];
}

function familySection({ data, types }: EventFamily, context: SchemaContext): Html {
  const { webhooks = {} } = context.document;
  const rows = types.map(
    (type) =>
      html`<li id="event.${type}"><p class="n"><a href="#event.${type}"><code>${type}</code></a></p><p>${inline(sentence(webhooks[type]?.post.description ?? ''))}</p></li>`,
  );
  const forms = examplesOf(types, context.document);
  const [first = ''] = types;
  const id = `events.${first}`;
  const families = [...new Set(types.map((type) => `${type.split('.', 1)[0]}.*`))];
  const title = first === 'custom' ? 'custom events' : types.length === 1 ? first : families.join(', ');
  const text = html`${heading(3, id, html`<code>${title}</code>`)}<ul class="f">${rows}</ul><h4>data</h4>${forms.length > 1 && html`<p>The examples after the first show what differs from it.</p>`}${ownFields(data, [...context.objects], context)}`;
  return section(id, text, panel('Delivery', forms), 'op');
}

/** The events: their envelope, then each family. */
export function eventSections(context: SchemaContext): Html[] {
  const { document } = context;
  const [anyEvent] = Object.values(document.webhooks ?? {});
  if (anyEvent === undefined) return [];
  const schema = anyEvent.post.requestBody?.content['application/json']?.schema ?? {};
  const { data: _, ...envelope } = schema.properties ?? {};
  const ownSchema = {
    ...envelope,
    type: { ...envelope.type, const: undefined },
    source: {
      type: 'string',
      enum: ['service', 'custom'],
      description: 'Whether the service emitted the event itself, or a caller recorded it.',
    },
    data: { type: 'object', description: 'The data of the event; see below.' },
  };
  const headers = (anyEvent.post.parameters ?? []).map((parameter) => parameterOf(document, parameter));
  const head = headers.map(({ name, description = '', schema: form }) => ({
    name,
    schema: { ...form, description },
    mark: undefined,
  }));
  const linkTo = (path: string, id: string, before: string, name: string): HtmlPart =>
    document.paths[path] !== undefined && html` ${before} <a href="#${id}">${name}</a>.`;
  const links = html`${linkTo('/v1/webhooks', 'webhooks.create', 'A subscription is made with', 'POST /v1/webhooks')}${linkTo('/v1/asyncapi.json', 'asyncapi.read', 'The same as an AsyncAPI document:', 'GET /v1/asyncapi.json')}`;
  const text = html`${heading(2, 'events', 'Events')}
<p>The events of the service. They are written in the transaction of the change that they report, so a change that was rolled back has no event. Each delivery is a POST to a subscribed URL; after any answer but 2xx it is tried again.${links}</p>
<h3 class="minor">Headers</h3>${fields(head, context)}<h3 class="minor">Body</h3>${fieldList({ ...schema, properties: ownSchema }, context, true)}`;
  const code = `POST /your/endpoint HTTP/1.1\nContent-Type: application/json\n${headers
    .map(({ name, example }) => `${name}: ${String(example)}`)
    .join('\n')}`;
  return [
    section('events', text, panel('Delivery', [{ title: 'Delivery', code, language: 'http' }])),
    ...familiesOf(document).map((family) => familySection(family, context)),
  ];
}
