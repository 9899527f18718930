// The reference as one HTML page, made from the OpenAPI document alone. Called by routes.ts at the first request.
// Contains no inline script or style, and no data of a workspace.

import { type Html, html } from '../../core/unstable.ts';
import { areaSection, errorSection, scopeSection } from './catalogue-sections.ts';
import { type OpenapiDocument, serviceName } from './document.ts';
import { eventSections } from './event-sections.ts';
import { type IntroductionSection, introduction } from './introduction.ts';
import { operationSection } from './operation-section.ts';
import { listAreas, type ReferenceArea } from './operations.ts';
import type { SchemaContext } from './schema-type.ts';
import type { ExampleSnippetOptions } from './snippets.ts';

/** The paths from the page to its files, and from the files to the service. */
export interface PageAddresses {
  readonly style: string;
  readonly script: string;
  /** The start page of the program, to which the brand mark links; undefined if there is none. */
  readonly startPage: string | undefined;
  /** `../` once for each segment of the page's path. */
  readonly toService: string;
}

/** Placeholder for the base URL if none is configured. The script replaces it with the page's own base URL. */
const placeholder = 'http://localhost:3000';

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%2314523a'/%3E%3Cpath d='M8 11h16v11H8z M8 11l8 7 8-7' fill='none' stroke='%23fff' stroke-width='2' stroke-linejoin='round'/%3E%3C/svg%3E";

const link = (id: string, title: string): Html => html`<li><a href="#${id}">${title}</a></li>`;

function areaLinks({ name, title, operations }: ReferenceArea): Html {
  const links = operations.map(
    ({ id, method, spec }) =>
      html`<li><a href="#${id}"><span class="m ${method.toLowerCase()}">${method}</span>${spec.summary}</a></li>
`,
  );
  return html`<li><a class="area" href="#area.${name}">${title}</a><ul>${links}</ul></li>
`;
}

/** If there are more operations than this, only the current area is unfolded. */
const foldAbove = 40;

function sidebar(
  document: OpenapiDocument,
  start: readonly IntroductionSection[],
  areas: readonly ReferenceArea[],
): Html {
  const count = areas.reduce((sum, { operations }) => sum + operations.length, 0);
  const hasEvents = Object.keys(document.webhooks ?? {}).length > 0;
  return html`<nav id="contents" aria-label="Contents"${count > foldAbove && html` data-folded`}><ul>
<li><a class="area" href="#introduction">Start</a><ul>${start.map(({ id, title }) => link(id, title))}${link('scopes', 'Scopes')}</ul></li>
${areas.map(areaLinks)}<li><a class="area" href="#events">More</a><ul>${hasEvents && link('events', 'Events')}${link('errors', 'Error codes')}</ul></li>
</ul></nav>`;
}

function header(name: string, version: string, startPage: string | undefined): Html {
  const brand =
    startPage === undefined
      ? { href: '#introduction', label: `${name} API reference` }
      : { href: startPage, label: `${name} API reference: start page` };
  return html`<header><button type="button" class="menu" aria-expanded="false" aria-controls="contents" hidden><span>Contents</span></button>
<a class="brand" href="${brand.href}" aria-label="${brand.label}"><svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M8 11h16v11H8z M8 11l8 7 8-7"/></svg><b>${name}</b> <span>API reference</span></a>
<span class="version">${version}</span>
<search hidden><input type="search" aria-label="Search the reference" placeholder="Search" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list"><kbd>/</kbd><ul id="results" role="listbox" aria-label="Results" hidden></ul><p class="said" role="status"></p></search>
<button type="button" class="theme" aria-label="Colours: as the system" hidden><svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="7"/><path d="M10 3a7 7 0 0 1 0 14z"/></svg></button></header>`;
}

/** The environment variable from which examples read the key. */
const keyVariableOf = (name: string): string => `${name.toUpperCase().replace(/[^A-Z0-9]/g, '')}_API_KEY`;

/** The whole page. */
export function referencePage(document: OpenapiDocument, addresses: PageAddresses): string {
  const name = serviceName(document);
  const url = document.servers[0]?.url ?? '/';
  const isKnown = /^https?:/.test(url);
  const snippetOptions: ExampleSnippetOptions = {
    document,
    baseUrl: isKnown ? url.replace(/\/+$/, '') : placeholder,
    keyVariable: keyVariableOf(name),
  };
  const areas = listAreas(document);
  const objects = new Set(areas.flatMap((area) => area.objects));
  const context: SchemaContext = { document, objects, parents: [] };
  const operations = areas.flatMap((area) => area.operations);
  const start = introduction(snippetOptions, operations, context);
  const page = html`<!doctype html>
<html lang="en"${!isKnown && html` data-base="${placeholder}"`} data-service="${addresses.toService}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${document.info.description}">
<title>${name} API reference</title>
<link rel="icon" href="${{ html: icon }}">
<link rel="stylesheet" href="${addresses.style}">
<script src="${addresses.script}"></script>
</head>
<body>
<a class="skip" href="#introduction">To the text</a>
${header(name, document.info.version, addresses.startPage)}
${sidebar(document, start, areas)}
<main>
${start.map(({ html: text }) => text)}
${scopeSection(document)}
${areas.map((area) => [areaSection(area, context), ...area.operations.map((operation) => operationSection(operation, snippetOptions, context))])}
${eventSections(context)}
${errorSection(document, operations)}
</main>
</body>
</html>
`;
  return page.html;
}
