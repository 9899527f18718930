// The introduction: the rules of every call, in sections before the areas. Texts come from the document if it has them.

import { type Html, type HtmlPart, html } from '../../core/unstable.ts';
import { serviceName } from './document.ts';
import { snippetForms } from './operation-section.ts';
import type { OperationView } from './operations.ts';
import { heading, type PanelForm, panel, section } from './panels.ts';
import { inline, sentence } from './prose.ts';
import { schemaView } from './schema-fields.ts';
import type { SchemaContext } from './schema-type.ts';
import { signatureForms, signatureText } from './signatures.ts';
import type { ExampleSnippetOptions } from './snippets.ts';

/** A section of the introduction. */
export interface IntroductionSection {
  readonly id: string;
  readonly title: string;
  readonly html: Html;
}

const shell = (title: string, code: string): PanelForm => ({ title, code, language: 'shell' });
const json = (title: string, value: unknown): PanelForm => ({
  title,
  code: JSON.stringify(value, null, 2),
  language: 'json',
});

function createSection(
  id: string,
  title: string,
  text: HtmlPart,
  aside: HtmlPart,
  head: HtmlPart = heading(2, id, title),
): IntroductionSection {
  return { id, title, html: section(id, html`${head}${text}`, aside) };
}

/** The relevant header lines, as sent over the network. */
const head = (title: string, lines: readonly string[]): PanelForm => ({
  title,
  code: lines.join('\n'),
  language: 'http',
});

/** The example that most readers look for: a call that sends, or else the first operation with a typed call. */
function flagshipOf(operations: readonly OperationView[]): OperationView | undefined {
  const calls = operations.filter(({ spec }) => spec['x-call'] !== undefined);
  return calls.find(({ id }) => id === 'email.send') ?? calls[0];
}

function overview(snippetOptions: ExampleSnippetOptions, operations: readonly OperationView[]): IntroductionSection {
  const { document, baseUrl } = snippetOptions;
  const name = serviceName(document);
  const flagship = flagshipOf(operations);
  const text = html`<p class="lead">Everything that ${name} does is one operation, and every operation can be called in three ways: over REST, as a tool of an MCP client, and as a typed call in the program that embeds it. All three run the same checks and give the same answers.</p>
<p>Requests and answers are JSON. Times are ISO 8601 in UTC. A request with an unknown field is refused, and the error names the field. Responses may get new fields, so ignore fields that you do not know.</p>
<p>This page is made of what this service composes: <a href="#openapi.read">the OpenAPI document</a> contains the same for machines.</p>
<dl><div><dt>Base URL</dt><dd><code class="base">${baseUrl}</code></dd></div><div><dt>Version</dt><dd>v1, release ${document.info.version}</dd></div></dl>`;
  const aside = flagship === undefined ? undefined : panel('The same call', snippetForms(snippetOptions, flagship));
  return createSection('introduction', 'Introduction', text, aside, html`<h1>${name} API</h1>`);
}

function authentication({ document, keyVariable }: ExampleSnippetOptions): IntroductionSection {
  const slug = serviceName(document)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  const { description } = document.components.securitySchemes.apiKey ?? { description: '' };
  const text = html`<p>${inline(description)} The program that embeds the service issues keys and revokes them; no operation does.</p>
<ul class="f">
<li><p class="n"><code>${slug}_live_…</code></p><p>Acts on the live side.</p></li>
<li><p class="n"><code>${slug}_test_…</code></p><p>A sandbox: nothing reaches a mailbox, nothing is counted or charged, and all its effects are marked.</p></li>
<li><p class="n"><code>${slug}_mcp_…</code></p><p>For editors and agents; live unless it was issued for the sandbox.</p></li>
</ul>
<p>Without a valid key: <a href="#error.invalid_api_key">401</a>. Without the scope: <a href="#error.insufficient_scope">403</a>, which names it. See <a href="#scopes">Scopes</a>.</p>`;
  const form = head('Every request', [`Authorization: Bearer $${keyVariable}`]);
  return createSection('authentication', 'Authentication', text, panel('The header', [form]));
}

const errorExample = {
  error: {
    type: 'validation_error',
    code: 'validation_failed',
    message: 'to must be an email address.',
    request_id: 'req_01JD0C8Z4V6QK3M9T2X5R7W8YB',
    details: [{ path: 'to', code: 'invalid_format', message: 'Must be an email address.' }],
  },
};

function errors({ document }: ExampleSnippetOptions, context: SchemaContext): IntroductionSection {
  const { Error: envelope } = document.components.schemas;
  const errorSchema = envelope?.properties?.error;
  const text = html`<p>${inline(sentence(envelope?.description ?? ''))} Decide by <code>code</code>: codes are stable, messages may change. <a href="#errors">All codes</a>, each with its solution.</p>
${errorSchema !== undefined && schemaView(errorSchema, context, true)}`;
  return createSection('envelope', 'Errors', text, panel('An error', [json('422', errorExample)]));
}

function pagination({ baseUrl, keyVariable }: ExampleSnippetOptions): IntroductionSection {
  const text = html`<p>Lists return <code>data</code>, newest first, and <code>next_cursor</code>.
Pass <code>next_cursor</code> as <code>cursor</code> to get the next page; on the last page it is null.
<code>limit</code> is the maximum number of items on a page.</p>
<p>A cursor is a position, not a copy: rows that come in between do not shift the pages after it.</p>`;
  const code = `curl '${baseUrl}/v1/audit?limit=50&cursor=…' \\\n  -H "Authorization: Bearer $${keyVariable}"`;
  return createSection('pagination', 'Pagination', text, panel('Pages', [shell('The next page', code)]));
}

function idempotency({ document }: ExampleSnippetOptions): IntroductionSection {
  const parameter = document.components.parameters?.IdempotencyKey;
  const text = html`<p>${inline(parameter?.description ?? '')}</p>
<p>Take a key from what you do, such as the order's number, and send the same key again after a timeout. The same key with another input is refused (<a href="#error.idempotency_key_mismatch">409</a>).
While the first request runs, a second one is refused, too (<a href="#error.idempotency_key_in_progress">409</a>).
Only successes are stored: a failed request changed nothing and may be repeated.</p>
<p>Tools take it as <code>idempotency_key</code>, typed calls as the option <code>idempotencyKey</code>.</p>`;
  const request = head('Request', [`Idempotency-Key: ${String(parameter?.example ?? 'order-1042')}`]);
  const replay = head('Answer to a retry', ['HTTP/1.1 202 Accepted', 'Idempotent-Replay: true']);
  return createSection(
    'idempotency',
    'Idempotency',
    text,
    html`${panel('Request', [request])}${panel('Answer', [replay])}`,
  );
}

function dryRun({ document }: ExampleSnippetOptions): IntroductionSection {
  const text = html`<p>${inline(document.components.parameters?.DryRun?.description ?? '')}</p>
<p>Tools take it as <code>dry_run</code>, typed calls as the option <code>dryRun</code>.</p>`;
  const request = head('Request', ['Dry-Run: true']);
  const answer = head('Answer', [
    'Dry-Run: true',
    'Dry-Run-Credits: 0',
    'Dry-Run-Events: send.queued',
    'Dry-Run-Jobs: email.deliver',
  ]);
  return createSection('dry-runs', 'Dry runs', text, html`${panel('Request', [request])}${panel('Answer', [answer])}`);
}

function rateLimits({ document }: ExampleSnippetOptions): IntroductionSection {
  const { headers } = document.components;
  const names = Object.keys(headers).filter((name) => name.startsWith('X-RateLimit-') || name === 'Retry-After');
  const rows = names.map(
    (name) =>
      html`<li><p class="n"><code>${name}</code></p><p>${inline(sentence(headers[name]?.description ?? ''))}</p></li>`,
  );
  const text = html`<p>Each key has a bucket, and all keys of a workspace share another; the workspace's plan sets both. Every response contains the remaining requests. Sandbox keys are not limited.</p><ul class="f">${rows}</ul>`;
  const answer = head('Answer', [
    'HTTP/1.1 429 Too Many Requests',
    'Retry-After: 1',
    'X-RateLimit-Limit: 60',
    'X-RateLimit-Remaining: 0',
    'X-RateLimit-Scope: key',
  ]);
  return createSection('rate-limits', 'Rate limits', text, panel('Too many requests', [answer]));
}

function tools({ document, baseUrl, keyVariable }: ExampleSnippetOptions): IntroductionSection {
  const name = serviceName(document);
  const text = html`<p>The same operations as tools of the Model Context Protocol, at <code>POST /v1/mcp</code>: stateless, with the same keys, scopes, limits and errors. A tool takes path, query and body as one object; <code>tools/list</code> shows only what the key may call.</p>
<p>Each operation below names its tool and the hints of the tool: whether it reads only, can remove something, is safe to repeat, or reaches people outside.</p>`;
  const code = `curl ${baseUrl}/v1/mcp \\\n  -H "Authorization: Bearer $${keyVariable}" \\\n  -H "Content-Type: application/json" \\\n  -d '{ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }'`;
  const slug = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const client = json('Client', {
    mcpServers: { [slug]: { url: `${baseUrl}/v1/mcp`, headers: { Authorization: 'Bearer …' } } },
  });
  return createSection(
    'tools',
    'Tools',
    text,
    html`${panel('tools/list', [shell('tools/list', code)])}${panel('Client', [client])}`,
  );
}

function typedCalls(): IntroductionSection {
  const text = html`<p>The program that embeds the service calls operations by name, with types: arguments are checked as they are on REST, and refusals are thrown as errors with <code>code</code>, <code>status</code> and <code>details</code>. Such calls hold every scope.</p>
<p>With <code>trx</code>, a call joins a transaction of yours: both commit, or neither does.</p>`;
  const code = `import { isPostriderError } from 'postrider';

try {
  const workspace = await service.as(workspaceId).workspace.read();
} catch (error) {
  if (isPostriderError(error, 'workspace_not_found')) …
}`;
  return createSection(
    'typed-calls',
    'Typed calls',
    text,
    panel('In process', [{ title: 'In process', code, language: 'js' }]),
  );
}

function signatures({ document }: ExampleSnippetOptions): IntroductionSection[] {
  // The section is left out if there are no subscriptions, because then nothing is signed.
  if (document.paths['/v1/webhooks'] === undefined) return [];
  const title = 'Verify a webhook signature';
  return [createSection('webhook-signatures', title, signatureText, panel(title, signatureForms))];
}

/** The sections in their order. */
export const introduction = (
  snippetOptions: ExampleSnippetOptions,
  operations: readonly OperationView[],
  context: SchemaContext,
): IntroductionSection[] => [
  overview(snippetOptions, operations),
  authentication(snippetOptions),
  errors(snippetOptions, context),
  pagination(snippetOptions),
  idempotency(snippetOptions),
  dryRun(snippetOptions),
  rateLimits(snippetOptions),
  tools(snippetOptions),
  typedCalls(),
  ...signatures(snippetOptions),
];
