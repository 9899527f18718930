// One operation of the page. Called by page.ts; other sections use its lists of error codes and example forms.

import { type Html, type HtmlPart, html, joined } from '../../core/unstable.ts';
import { type OpenapiDocument, type ParameterObject, responseOf, type ToolHints } from './document.ts';
import { solutionOf } from './error-solution.ts';
import { type OperationView, objectOf, ownDescription, responseSchema } from './operations.ts';
import { heading, type PanelForm, panel, section } from './panels.ts';
import { inline, paragraphs, sentence } from './prose.ts';
import { fields, schemaView } from './schema-fields.ts';
import { objectLink, type SchemaContext } from './schema-type.ts';
import { type ExampleSnippetOptions, responseExample, snippetsOf } from './snippets.ts';
import { statusText } from './statuses.ts';

const idempotencyTexts = {
  replay: html`Retries with the same <a href="#idempotency">Idempotency-Key</a> are answered with the first answer.`,
  recorded: html`Not replayed: an <a href="#idempotency">Idempotency-Key</a> is written into the audit entry only.`,
  natural: 'Repeating it is harmless.',
  read: 'A read: it changes nothing.',
} as const;

/** A tool's hints in words. */
export function hintWords(hints: ToolHints): string[] {
  return [
    hints.readOnlyHint ? 'reads only' : 'changes something',
    ...(hints.destructiveHint ? ['can overwrite or remove'] : []),
    ...(hints.idempotentHint && !hints.readOnlyHint ? ['safe to repeat'] : []),
    ...(hints.openWorldHint ? ['reaches people outside'] : []),
  ];
}

const scopeLink = (scope: string): Html => html`<a href="#scope.${scope}"><code>${scope}</code></a>`;
const errorLink = (code: string): Html => html`<a href="#error.${code}"><code>${code}</code></a>`;

/** One line of facts. */
const detail = (name: string, value: HtmlPart): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

function detailList({ spec }: OperationView, document: OpenapiDocument): Html {
  const scopes = spec['x-scopes'];
  const isOpen = spec.security?.length === 0;
  const { 'x-idempotency': idempotency, 'x-tool': tool, 'x-tool-hints': hints, 'x-audit': audit } = spec;
  const { 'x-credits': credits, 'x-events': events } = spec;
  const anyKey = isOpen ? 'none needed' : 'any valid key';
  return html`<dl>${detail('Scope', scopes === undefined || scopes.length === 0 ? anyKey : joined(scopes.map(scopeLink), ' or '))}${
    idempotency !== undefined && detail('Idempotency', idempotencyTexts[idempotency])
  }${tool !== undefined && detail('Tool', html`<code>${tool}</code>${hints !== undefined && html` <span class="t">${hintWords(hints).join(', ')}</span>`}`)}${
    credits !== undefined && detail('Credits', html`${credits} for this example`)
  }${events !== undefined && detail('Events', eventLinks(events, document))}${audit !== undefined && detail('Audit', html`<code>${audit}</code>`)}</dl>`;
}

const eventLinks = (events: readonly string[], { webhooks = {} }: OpenapiDocument): Html =>
  joined(
    events.map((type) =>
      webhooks[type] === undefined
        ? html`<code>${type}</code>`
        : html`<a href="#event.${type}"><code>${type}</code></a>`,
    ),
    ', ',
  );

function parameterList(title: string, parameters: readonly ParameterObject[], context: SchemaContext): HtmlPart {
  if (parameters.length === 0) return undefined;
  const views = parameters.map((parameter) => {
    const { name, description, required, schema, 'x-argument': argument } = parameter;
    return {
      name,
      schema: description === undefined ? schema : { ...schema, description },
      mark: required === true ? ('required' as const) : undefined,
      ...(argument === undefined ? {} : { note: html`Tools and typed calls name it <code>${argument}</code>.` }),
    };
  });
  return html`<h4>${title}</h4>${fields(views, context)}`;
}

function bodyView({ spec }: OperationView, context: SchemaContext): HtmlPart {
  const schema = spec.requestBody?.content['application/json']?.schema;
  if (schema === undefined) return undefined;
  const isEmpty = schema.$ref === undefined && Object.keys(schema.properties ?? {}).length === 0;
  return isEmpty ? undefined : html`<h4>Body</h4>${schemaView(schema, context, false)}`;
}

function answerView(operation: OperationView, context: SchemaContext): Html {
  const schema = responseSchema(operation);
  const name = objectOf(schema);
  const status = html`<h4>Answer <span class="t">${operation.status} ${statusText(operation.status)}</span></h4>`;
  if (schema === undefined) return html`${status}<p>No body.</p>`;
  if (name === undefined || !context.objects.has(name)) return html`${status}${schemaView(schema, context, true)}`;
  if (schema.$ref !== undefined) return html`${status}<p>${objectLink(name)}.</p>`;
  const isList = Object.keys(schema.properties ?? {}).join() === 'data,next_cursor';
  const text = isList
    ? html`A <a href="#pagination">page</a> of ${objectLink(name)}: <code>data</code> and <code>next_cursor</code>.`
    : undefined;
  return html`${status}${text === undefined ? schemaView(schema, context, true) : html`<p>${text}</p>`}`;
}

/** Every error code that the operation can return. */
export function codesOf({ spec }: OperationView, document: OpenapiDocument): string[] {
  return Object.entries(spec.responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, answer]) => Object.keys(responseOf(document, answer).content?.['application/json']?.examples ?? {}));
}

function errorView(operation: OperationView, document: OpenapiDocument): HtmlPart {
  const codes = codesOf(operation, document);
  if (codes.length === 0) return undefined;
  const ownErrors = (operation.spec['x-errors'] ?? []).filter((code) => codes.includes(code));
  const otherCodes = codes.filter((code) => !ownErrors.includes(code));
  const rows = ownErrors.flatMap((code) => {
    const info = document['x-errors'][code];
    if (info === undefined) return [];
    const { meaning, solution: wayOut } = solutionOf(info);
    return html`<li><p class="n">${errorLink(code)} <span class="t">${info.status}</span></p><p>${inline(meaning)} <span class="out">${inline(wayOut)}</span></p></li>`;
  });
  const otherErrors = html`<p class="rest">${ownErrors.length > 0 ? 'Other errors, which many operations can return' : 'Only errors that many operations can return'}: ${joined(otherCodes.map(errorLink), ', ')}.</p>`;
  return html`<h4>Errors</h4>${rows.length > 0 && html`<ul class="f">${rows}</ul>`}${otherCodes.length > 0 && otherErrors}`;
}

const languages = { curl: 'shell', fetch: 'js', typed: 'js', tool: 'json' } as const;

/** The forms of an operation's example. */
export const snippetForms = (snippetOptions: ExampleSnippetOptions, operation: OperationView): PanelForm[] =>
  snippetsOf(snippetOptions, operation).map(({ form, title, code }) => ({
    form,
    title,
    code,
    language: languages[form],
  }));

function sideOf(operation: OperationView, snippetOptions: ExampleSnippetOptions): Html {
  const answer = responseExample(snippetOptions, operation);
  const title = `${operation.status} ${statusText(operation.status)}`;
  return html`${panel(`${operation.spec.summary}: request`, snippetForms(snippetOptions, operation))}${answer !== undefined && panel('Answer', [{ title, code: answer, language: 'json' }])}`;
}

/** Headers that many operations share. The introduction explains them. */
const explainedHeaders = new Set(['Idempotency-Key', 'Dry-Run']);

/** The section of one operation, as HTML. */
export function operationSection(
  operation: OperationView,
  snippetOptions: ExampleSnippetOptions,
  context: SchemaContext,
): Html {
  const { id, method, path, parameters } = operation;
  const notice = operation.spec['x-deprecation'];
  const parametersIn = (place: ParameterObject['in']) => parameters.filter((parameter) => parameter.in === place);
  const ownHeaders = parametersIn('header').filter(({ name }) => !explainedHeaders.has(name));
  const route = path.split(/(\{\w+\})/).map((part, index) => (index % 2 === 1 ? html`<i>${part}</i>` : part));
  const text = html`${heading(3, id, operation.spec.summary)}
<p class="route"><span class="m ${method.toLowerCase()}">${method}</span> <code>${route}</code></p>
${notice !== undefined && html`<p class="notice">Deprecated since ${notice.since}, ends on ${notice.sunset}. <a href="${notice.link}">The notice says what to use instead</a>.</p>`}${paragraphs(sentence(ownDescription(operation)))}
${detailList(operation, snippetOptions.document)}
${parameterList('Path', parametersIn('path'), context)}${parameterList('Query', parametersIn('query'), context)}${parameterList('Headers', ownHeaders, context)}${bodyView(operation, context)}${answerView(operation, context)}
${errorView(operation, snippetOptions.document)}`;
  return section(id, text, sideOf(operation, snippetOptions), 'op');
}
