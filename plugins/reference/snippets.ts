// An operation's example in every form of a call: curl, fetch, a typed call in process, a tool's arguments. Test programs run
// this output. Recorded examples are preferred; if there is none, an example is made from the schemas.
import { type OpenapiDocument, type ParameterObject, schemaOf } from './document.ts';
import { literal } from './literal.ts';
import type { OperationView } from './operations.ts';
import { sampleOf } from './sample.ts';

/** One form of an example. */
export interface ExampleSnippet {
  readonly form: 'curl' | 'fetch' | 'typed' | 'tool';
  readonly title: string;
  readonly code: string;
}

/** The facts about the service that snippets need. */
export interface ExampleSnippetOptions {
  readonly document: OpenapiDocument;
  /** The service's base URL, without a trailing slash. */
  readonly baseUrl: string;
  /** The environment variable that contains the key. */
  readonly keyVariable: string;
}

/** An example's values. */
interface Values {
  readonly path: readonly (readonly [ParameterObject, unknown])[];
  readonly query: readonly (readonly [ParameterObject, unknown])[];
  readonly body: unknown;
}

/** The Idempotency-Key that examples show. */
const exampleKey = ({ document }: ExampleSnippetOptions): string =>
  String(document.components.parameters?.IdempotencyKey?.example ?? 'a-key-of-yours');

function valuesOf({ document }: ExampleSnippetOptions, { spec, parameters }: OperationView): Values {
  const exampleOf = (parameter: ParameterObject): unknown =>
    parameter.example ?? sampleOf(document, parameter.schema, 'required', parameter.name);
  const path = parameters.filter((parameter) => parameter.in === 'path');
  const query = parameters.filter(
    (parameter) => parameter.in === 'query' && (parameter.example !== undefined || parameter.required === true),
  );
  const media = spec.requestBody?.content['application/json'];
  return {
    path: path.map((parameter) => [parameter, exampleOf(parameter)] as const),
    query: query.map((parameter) => [parameter, exampleOf(parameter)] as const),
    body: media === undefined ? undefined : (media.example ?? sampleOf(document, media.schema, 'required')),
  };
}

function urlOf(baseUrl: string, path: string, values: Values): string {
  const pathValues = new Map(values.path.map(([{ name }, value]) => [name, encodeURIComponent(String(value))]));
  const pathWithValues = path.replace(/\{(\w+)\}/g, (whole, name: string) => pathValues.get(name) ?? whole);
  const search = new URLSearchParams(
    Object.fromEntries(values.query.map(([{ name }, value]) => [name, String(value)])),
  );
  return `${baseUrl}${pathWithValues}${search.size === 0 ? '' : `?${search}`}`;
}

const isOpen = ({ spec }: OperationView): boolean => spec.security?.length === 0;

function headersOf(
  snippetOptions: ExampleSnippetOptions,
  operation: OperationView,
  values: Values,
): [string, string][] {
  const headers: [string, string][] = [];
  if (operation.spec['x-idempotency'] === 'replay') headers.push(['Idempotency-Key', exampleKey(snippetOptions)]);
  if (values.body !== undefined) headers.push(['Content-Type', 'application/json']);
  return headers;
}

const inShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function curl(snippetOptions: ExampleSnippetOptions, operation: OperationView, values: Values): string {
  const { method } = operation;
  const url = urlOf(snippetOptions.baseUrl, operation.path, values);
  const isMethodImplied = method === 'GET' || (method === 'POST' && values.body !== undefined);
  const lines = [
    `curl ${isMethodImplied ? '' : `-X ${method} `}${/^[\w:/.~%@-]+$/.test(url) ? url : inShell(url)}`,
    ...(isOpen(operation) ? [] : [`  -H "Authorization: Bearer $${snippetOptions.keyVariable}"`]),
    ...headersOf(snippetOptions, operation, values).map(([name, value]) => `  -H "${name}: ${value}"`),
    ...(values.body === undefined ? [] : [`  -d ${inShell(JSON.stringify(values.body, null, 2))}`]),
  ];
  return lines.join(' \\\n');
}

function fetchCall(snippetOptions: ExampleSnippetOptions, operation: OperationView, values: Values): string {
  const headers = [
    ...(isOpen(operation) ? [] : [`    Authorization: \`Bearer \${process.env.${snippetOptions.keyVariable}}\`,`]),
    ...headersOf(snippetOptions, operation, values).map(([name, value]) => `    '${name}': '${value}',`),
  ];
  const options = [
    ...(operation.method === 'GET' ? [] : [`  method: '${operation.method}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(values.body === undefined ? [] : [`  body: JSON.stringify(${literal(values.body, 2)}),`]),
  ];
  const url = urlOf(snippetOptions.baseUrl, operation.path, values);
  return [
    `const response = await fetch('${url}', {`,
    ...options,
    '});',
    'if (!response.ok) throw new Error(await response.text());',
    'const answer = await response.json();',
  ].join('\n');
}

/** Path, query and body as one object, as tools and typed calls take them. */
function argumentsOf(
  snippetOptions: ExampleSnippetOptions,
  operation: OperationView,
  values: Values,
): Record<string, unknown> {
  const parameterValues: [string, unknown][] = [...values.path, ...values.query].map(([parameter, value]) => [
    parameter['x-argument'] ?? parameter.name,
    value,
  ]);
  const body = (values.body ?? {}) as Record<string, unknown>;
  const media = operation.spec.requestBody?.content['application/json'];
  const fields = media === undefined ? {} : (schemaOf(snippetOptions.document, media.schema).properties ?? {});
  const order = Object.keys(fields);
  const bodyEntries = Object.entries(body).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  return Object.fromEntries([...parameterValues, ...bodyEntries]);
}

function typedCall(
  snippetOptions: ExampleSnippetOptions,
  operation: OperationView,
  call: string,
  flat: Record<string, unknown>,
): string {
  // Only a member can decide, so the program names the member.
  const member = operation.spec['x-errors']?.includes('self_approval') ? ", { member: 'u_ada' }" : '';
  const beginning = `const answer = await service.as(workspaceId${member}).${call}(`;
  const replays = operation.spec['x-idempotency'] === 'replay';
  const options = replays ? `, { idempotencyKey: '${exampleKey(snippetOptions)}' }` : '';
  const isEmpty = Object.keys(flat).length === 0 && !replays;
  return `${beginning}${isEmpty ? '' : literal(flat, 0, beginning.length + options.length)}${options});`;
}

/** The example in every form that the operation has. */
export function snippetsOf(snippetOptions: ExampleSnippetOptions, operation: OperationView): ExampleSnippet[] {
  const values = valuesOf(snippetOptions, operation);
  const { 'x-call': call, 'x-tool': tool, 'x-idempotency': idempotency } = operation.spec;
  const flat = argumentsOf(snippetOptions, operation, values);
  const snippets: ExampleSnippet[] = [
    { form: 'curl', title: 'curl', code: curl(snippetOptions, operation, values) },
    { form: 'fetch', title: 'JavaScript', code: fetchCall(snippetOptions, operation, values) },
  ];
  if (call !== undefined)
    snippets.push({ form: 'typed', title: 'In process', code: typedCall(snippetOptions, operation, call, flat) });
  if (tool !== undefined) {
    const toolArguments = {
      ...flat,
      ...(idempotency === 'replay' ? { idempotency_key: exampleKey(snippetOptions) } : {}),
    };
    const code = JSON.stringify({ name: tool, arguments: toolArguments }, null, 2);
    snippets.push({ form: 'tool', title: 'MCP tool', code });
  }
  return snippets;
}

/** The response body, as JSON. */
export function responseExample(
  { document }: ExampleSnippetOptions,
  { spec, status }: OperationView,
): string | undefined {
  const media = spec.responses[status]?.content?.['application/json'];
  if (media === undefined) return undefined;
  return JSON.stringify(media.example ?? sampleOf(document, media.schema, 'all'), null, 2);
}
