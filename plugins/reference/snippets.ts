// An operation's example in the forms in which people call it: curl, fetch, a typed call in process, a tool's arguments.
// Test programs run what this writes. Recorded examples come first; where there is none, one is made from the schemas.
import type { OpenapiDocument, Parameter } from './document.ts';
import { schemaOf } from './document.ts';
import { literal } from './literal.ts';
import type { OperationView } from './operations.ts';
import { sampleOf } from './sample.ts';

/** One form of an example. */
export interface Snippet {
  readonly form: 'curl' | 'fetch' | 'typed' | 'tool';
  readonly title: string;
  readonly code: string;
}

/** What snippets need to know of the service. */
export interface SnippetFacts {
  readonly document: OpenapiDocument;
  /** Where the service is mounted, without a trailing slash. */
  readonly baseUrl: string;
  /** The environment variable that holds the key. */
  readonly keyVariable: string;
}

/** An example's values. */
interface Values {
  readonly path: readonly (readonly [Parameter, unknown])[];
  readonly query: readonly (readonly [Parameter, unknown])[];
  readonly body: unknown;
}

/** The Idempotency-Key that examples show. */
const exampleKey = ({ document }: SnippetFacts): string =>
  String(document.components.parameters?.IdempotencyKey?.example ?? 'a-key-of-yours');

function valuesOf({ document }: SnippetFacts, { facts, parameters }: OperationView): Values {
  const given = (parameter: Parameter): unknown =>
    parameter.example ?? sampleOf(document, parameter.schema, 'required', parameter.name);
  const path = parameters.filter((parameter) => parameter.in === 'path');
  const query = parameters.filter(
    (parameter) => parameter.in === 'query' && (parameter.example !== undefined || parameter.required === true),
  );
  const media = facts.requestBody?.content['application/json'];
  return {
    path: path.map((parameter) => [parameter, given(parameter)] as const),
    query: query.map((parameter) => [parameter, given(parameter)] as const),
    body: media === undefined ? undefined : (media.example ?? sampleOf(document, media.schema, 'required')),
  };
}

function urlOf(baseUrl: string, path: string, values: Values): string {
  const named = new Map(values.path.map(([{ name }, value]) => [name, encodeURIComponent(String(value))]));
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => named.get(name) ?? whole);
  const search = new URLSearchParams(
    Object.fromEntries(values.query.map(([{ name }, value]) => [name, String(value)])),
  );
  return `${baseUrl}${filled}${search.size === 0 ? '' : `?${search}`}`;
}

const isOpen = ({ facts }: OperationView): boolean => facts.security?.length === 0;

function headersOf(facts: SnippetFacts, operation: OperationView, values: Values): [string, string][] {
  const headers: [string, string][] = [];
  if (operation.facts['x-idempotency'] === 'replay') headers.push(['Idempotency-Key', exampleKey(facts)]);
  if (values.body !== undefined) headers.push(['Content-Type', 'application/json']);
  return headers;
}

const inShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function curl(facts: SnippetFacts, operation: OperationView, values: Values): string {
  const { method } = operation;
  const url = urlOf(facts.baseUrl, operation.path, values);
  const implied = method === 'GET' || (method === 'POST' && values.body !== undefined);
  const lines = [
    `curl ${implied ? '' : `-X ${method} `}${/^[\w:/.~%@-]+$/.test(url) ? url : inShell(url)}`,
    ...(isOpen(operation) ? [] : [`  -H "Authorization: Bearer $${facts.keyVariable}"`]),
    ...headersOf(facts, operation, values).map(([name, value]) => `  -H "${name}: ${value}"`),
    ...(values.body === undefined ? [] : [`  -d ${inShell(JSON.stringify(values.body, null, 2))}`]),
  ];
  return lines.join(' \\\n');
}

function fetchCall(facts: SnippetFacts, operation: OperationView, values: Values): string {
  const headers = [
    ...(isOpen(operation) ? [] : [`    Authorization: \`Bearer \${process.env.${facts.keyVariable}}\`,`]),
    ...headersOf(facts, operation, values).map(([name, value]) => `    '${name}': '${value}',`),
  ];
  const options = [
    ...(operation.method === 'GET' ? [] : [`  method: '${operation.method}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(values.body === undefined ? [] : [`  body: JSON.stringify(${literal(values.body, 2)}),`]),
  ];
  const url = urlOf(facts.baseUrl, operation.path, values);
  return [
    `const response = await fetch('${url}', {`,
    ...options,
    '});',
    'if (!response.ok) throw new Error(await response.text());',
    'const answer = await response.json();',
  ].join('\n');
}

/** Path, query and body as one object, as tools and typed calls take it. */
function argumentsOf(facts: SnippetFacts, operation: OperationView, values: Values): Record<string, unknown> {
  const flat: [string, unknown][] = [...values.path, ...values.query].map(([parameter, value]) => [
    parameter['x-argument'] ?? parameter.name,
    value,
  ]);
  const body = (values.body ?? {}) as Record<string, unknown>;
  const media = operation.facts.requestBody?.content['application/json'];
  const fields = media === undefined ? {} : (schemaOf(facts.document, media.schema).properties ?? {});
  const order = Object.keys(fields);
  const entries = Object.entries(body).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  return Object.fromEntries([...flat, ...entries]);
}

function typedCall(facts: SnippetFacts, operation: OperationView, call: string, flat: Record<string, unknown>): string {
  const beginning = `const answer = await service.as(workspaceId).${call}(`;
  const replays = operation.facts['x-idempotency'] === 'replay';
  const options = replays ? `, { idempotencyKey: '${exampleKey(facts)}' }` : '';
  const isEmpty = Object.keys(flat).length === 0 && !replays;
  return `${beginning}${isEmpty ? '' : literal(flat, 0, beginning.length + options.length)}${options});`;
}

/** The example in every form that the operation has. */
export function snippetsOf(facts: SnippetFacts, operation: OperationView): Snippet[] {
  const values = valuesOf(facts, operation);
  const { 'x-call': call, 'x-tool': tool, 'x-idempotency': idempotency } = operation.facts;
  const flat = argumentsOf(facts, operation, values);
  const snippets: Snippet[] = [
    { form: 'curl', title: 'curl', code: curl(facts, operation, values) },
    { form: 'fetch', title: 'JavaScript', code: fetchCall(facts, operation, values) },
  ];
  if (call !== undefined)
    snippets.push({ form: 'typed', title: 'In process', code: typedCall(facts, operation, call, flat) });
  if (tool !== undefined) {
    const given = { ...flat, ...(idempotency === 'replay' ? { idempotency_key: exampleKey(facts) } : {}) };
    const code = JSON.stringify({ name: tool, arguments: given }, null, 2);
    snippets.push({ form: 'tool', title: 'MCP tool', code });
  }
  return snippets;
}

/** The body of the answer, as JSON. */
export function answerExample({ document }: SnippetFacts, { facts, status }: OperationView): string | undefined {
  const media = facts.responses[status]?.content?.['application/json'];
  if (media === undefined) return undefined;
  return JSON.stringify(media.example ?? sampleOf(document, media.schema, 'all'), null, 2);
}
