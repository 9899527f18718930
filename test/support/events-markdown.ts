// docs/events.md: every event of the standard plugins with its data and an example. Called by reference-files.ts.
import { reservedFamilies } from '../../plugins/events/reserved-families.ts';
import { nameOf, type OpenapiDocument, parameterOf, type Schema, schemaOf } from '../../plugins/reference/document.ts';

/** An event in the document. */
interface EventView {
  readonly type: string;
  readonly description: string;
  readonly data: Schema;
  readonly example: { readonly data: unknown };
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');

function eventsOf({ webhooks = {} }: OpenapiDocument): EventView[] {
  return Object.entries(webhooks).map(([type, { post }]) => {
    const media = post.requestBody?.content['application/json'];
    return {
      type,
      description: post.description,
      data: media?.schema.properties?.data ?? {},
      example: media?.examples?.delivery?.value as EventView['example'],
    };
  });
}

function typeOf(document: OpenapiDocument, schema: Schema): string {
  if (schema.$ref !== undefined && schemaOf(document, schema).properties !== undefined) return nameOf(schema.$ref);
  const { type, items, anyOf, enum: values, const: only } = schemaOf(document, schema);
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(', ');
  if (anyOf !== undefined) return anyOf.map((form) => typeOf(document, form)).join(' or ');
  if (items !== undefined) return `array of ${typeOf(document, items)}`;
  return typeof type === 'string' ? type : (type ?? ['anything']).join(' or ');
}

/** The fields of the data. If the data has several forms, the fields of all forms. */
function fieldsOf(document: OpenapiDocument, data: Schema): string[] {
  const schema = schemaOf(document, data);
  const forms = schema.anyOf?.map((form) => schemaOf(document, form)) ?? [schema];
  const rows = new Map<string, string>();
  for (const { properties = {} } of forms)
    for (const [name, field] of Object.entries(properties)) {
      const always = forms.every(({ required = [] }) => required.includes(name));
      const { description = '' } = schemaOf(document, field);
      rows.set(
        name,
        `| \`${name}\` | ${cell(typeOf(document, field))}${always ? '' : ', optional'} | ${cell(description)} |`,
      );
    }
  return [...rows.values()];
}

function family(document: OpenapiDocument, events: readonly EventView[]): string {
  const [first] = events;
  if (first === undefined) return '';
  const families = [...new Set(events.map(({ type }) => `\`${type.split('.', 1)[0]}.*\``))];
  const title = events.length === 1 ? `\`${first.type}\`` : families.join(', ');
  const types = events.map(({ type, description }) => `| \`${type}\` | ${cell(description)} |`);
  return `## ${first.type === 'custom' ? 'Custom events' : title}

| Event | |
|---|---|
${types.join('\n')}

| Field of \`data\` | | |
|---|---|---|
${fieldsOf(document, first.data).join('\n')}

\`\`\`json
${JSON.stringify(first.example, null, 2)}
\`\`\`
`;
}

/** The file's content. */
export function eventsMarkdown(document: OpenapiDocument): string {
  const events = eventsOf(document);
  const families = new Map<string, EventView[]>();
  for (const event of events) {
    const key = JSON.stringify(event.data);
    families.set(key, [...(families.get(key) ?? []), event]);
  }
  const post = Object.values(document.webhooks ?? {})[0]?.post;
  const headers = (post?.parameters ?? []).map((parameter) => {
    const { name, description = '', example } = parameterOf(document, parameter);
    return `| \`${name}\` | ${cell(description)} | \`${String(example)}\` |`;
  });
  return `<!-- Made by \`npm run docs\`. Do not edit. -->
# Events

The events of the standard plugins, and their form. An event is written in the transaction of the change that it reports: a change that
is rolled back emits no event. An event that no subscription or subscriber wants is not written. Events reach your
[webhooks](webhooks.md), and [subscribers in your process](subscribers.md) as durable jobs, both with the body below.

\`GET /v1/asyncapi.json\` and \`postrider asyncapi\` describe the events as an AsyncAPI document, and so do the \`webhooks\` of the OpenAPI
document. The page at \`/docs\` shows them together with those of your own plugins.

| Field | |
|---|---|
| \`id\` | Identifies the event: an event that is delivered twice has the same id. |
| \`type\` | The event. |
| \`timestamp\` | When it happened. |
| \`workspace_id\` | The workspace of the event. |
| \`source\` | \`service\`, or \`custom\` for what a caller recorded. |
| \`synthetic\` | \`true\` for events of the sandbox and in test deliveries; otherwise absent. |
| \`data\` | The data of the event; below. |

A subscription names one event (\`send.bounced\`), a family (\`send.*\`) or all events (\`*\`).

Some families belong to the service, whether or not their plugins are composed. A subscription cannot name an event that does not exist in
such a family, and a custom event under such a name reaches only \`*\`. These are the families: ${[...reservedFamilies].map((name) => `\`${name}.*\``).join(', ')}.

A webhook is a POST with these headers:

| Header | | |
|---|---|---|
${headers.join('\n')}

${[...families.values()].map((some) => family(document, some)).join('\n')}`;
}
