// Pages without a script for a program's own people, in the same frame as pages with a script: the choices at the side,
// and the chosen content next to them. Called by the pages of plugins; reads nothing.
import type { HttpResponse } from '../contract/http/http.ts';
import { wantsPage } from '../projections/refusal-page.ts';
import { consoleStyle } from './console-style.gen.ts';
import { type Html, type HtmlPart, html } from './html.ts';
import { pageFrame } from './page-frame.ts';
import { plainResponse, type RefusalWriter } from './page-responses.ts';
import type { StartLink } from './start-bar.ts';

/** The content of such a page. */
export interface ConsolePage extends StartLink {
  /** The subject of the page: `Orders`. */
  readonly title: string;
  /** The object that is shown, for the title of the window: the name of an order. */
  readonly about?: string;
  /** The choices at the side. */
  readonly side?: Html;
  readonly body: Html;
}

/** Returns a function that writes pages with one style: the style of the consoles, then `style`. */
export function consolePages(style: string): (page: ConsolePage) => HttpResponse {
  const frame = pageFrame(`${consoleStyle}${style}`, { 'img-src': "'self' data:", 'form-action': "'self'" });
  return ({ title, about, service, startPage, side, body }) => {
    const whole = html`<div class="console"><header class="side"><p class="title">${title}</p>${side}</header><main>${body}</main></div>`;
    const start = { startPage, service };
    const names = [...(about === undefined ? [] : [about]), title, service];
    const text = frame.write({ title: names.join(' · '), icon: 'data:,', body: whole.html, start });
    return plainResponse('text/html; charset=utf-8', text, frame.headers);
  };
}

/** A refusal for people who see a page and not the API: without the sentences that name routes of the API. */
export const wordsForPeople = (message: string): string =>
  message
    .split(/(?<=\.)\s+/)
    .filter((sentence) => !sentence.includes('/v1/'))
    .join(' ');

/** Sends a refusal to browsers as such a page, with a link to start again. Programs get the envelope. */
export const consoleRefusals =
  (pageOf: (page: ConsolePage) => HttpResponse, title: string): RefusalWriter =>
  async ({ status, message, headers }, { ports }, request) => {
    if (status >= 500 || !wantsPage(request)) return undefined;
    const body = html`<h1>Not here</h1><p>${wordsForPeople(message)}</p><p><a class="button" href="?">Start again</a></p>`;
    const answer = pageOf({ title, service: ports.service.name, startPage: request.startPage, body });
    return { ...answer, status, headers: { ...answer.headers, ...headers, Vary: 'Accept' } };
  };

/** A link of a choice. */
export interface ChoiceLink {
  readonly text: string;
  readonly href: string;
  readonly isPresent: boolean;
}

/** Links, one of which is marked as current; null if there are fewer than two. */
export function choiceLinks(label: string, links: readonly ChoiceLink[]): Html | null {
  if (links.length < 2) return null;
  const items = links.map(({ text, href, isPresent }) =>
    isPresent ? html`<a aria-current="true" href="${href}">${text}</a>` : html`<a href="${href}">${text}</a>`,
  );
  return html`<nav class="segments" aria-label="${label}">${items}</nav>`;
}

/** A label for the state of something. */
export const chip = (text: string, tone: 'good' | 'slow' | 'bad' | 'plain' = 'plain'): Html =>
  html`<span class="chip ${tone}">${text}</span>`;

/** The text if there is nothing to show, with a hint how to change that. */
export const emptyState = (text: string): Html => html`<p class="empty">${text}</p>`;

/** A table whose rows are cards in narrow windows. */
export function tableOf(caption: string, heads: readonly string[], rows: readonly (readonly HtmlPart[])[]): Html {
  const classOf = (part: HtmlPart): Html | null => (typeof part === 'number' ? html` class="n"` : null);
  const cells = (row: readonly HtmlPart[]): Html[] =>
    row.map((part, column) => html`<td role="cell" data-head="${heads[column]}"${classOf(part)}>${part}</td>`);
  const columns = heads.map(
    (text, column) => html`<th role="columnheader" scope="col"${classOf(rows[0]?.[column])}>${text}</th>`,
  );
  return html`<div class="sheet"><table role="table"><caption>${caption}</caption><thead role="rowgroup"><tr role="row">${columns}</tr></thead><tbody role="rowgroup">${rows.map((row) => html`<tr role="row">${cells(row)}</tr>`)}</tbody></table></div>`;
}

/** A time in a readable form, in UTC. */
export const timeOf = (at: number): Html => {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')}</time>`;
};
