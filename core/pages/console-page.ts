// Pages for a program's own people without a script: the frame that they share with those that have one, what to choose at the side,
// what is chosen beside it. Called by the pages of plugins; reads nothing.
import type { HttpResponse } from '../contract/http.ts';
import { wantsPage } from '../projections/refusal-page.ts';
import { plainAnswer, type RefusedAnswer } from './answers.ts';
import { consoleStyle } from './console-style.gen.ts';
import { type Html, type HtmlPart, html } from './html.ts';
import { pageFrame } from './page-frame.ts';
import type { StartLink } from './start-bar.ts';

/** What is written into such a page. */
export interface ConsolePage extends StartLink {
  /** What the page is about: `Orders`. */
  readonly title: string;
  /** What of it is shown, for the title of the window: the name of an order. */
  readonly about?: string;
  /** What there is to choose from. */
  readonly side?: Html;
  readonly body: Html;
}

/** Answers pages that share one style: the consoles' own, then `style`. */
export function consolePages(style: string): (page: ConsolePage) => HttpResponse {
  const frame = pageFrame(`${consoleStyle}${style}`, { 'img-src': "'self' data:", 'form-action': "'self'" });
  return ({ title, about, service, startPage, side, body }) => {
    const whole = html`<div class="console"><header class="side"><p class="title">${title}</p>${side}</header><main>${body}</main></div>`;
    const start = { startPage, service };
    const names = [...(about === undefined ? [] : [about]), title, service];
    const text = frame.write({ title: names.join(' · '), icon: 'data:,', body: whole.html, start });
    return plainAnswer('text/html; charset=utf-8', text, frame.headers);
  };
}

/** A refusal in words for people who see a page and not the API: without the sentences that name its routes. */
export const wordsForPeople = (message: string): string =>
  message
    .split(/(?<=\.)\s+/)
    .filter((sentence) => !sentence.includes('/v1/'))
    .join(' ');

/** Answers browsers a refusal as such a page, with a way on; programs get the envelope. */
export const consoleRefusals =
  (pageOf: (page: ConsolePage) => HttpResponse, title: string): RefusedAnswer =>
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

/** Links of which one is the present one; nothing where there are fewer than two. */
export function choiceLinks(label: string, links: readonly ChoiceLink[]): Html | null {
  if (links.length < 2) return null;
  const items = links.map(({ text, href, isPresent }) =>
    isPresent ? html`<a aria-current="true" href="${href}">${text}</a>` : html`<a href="${href}">${text}</a>`,
  );
  return html`<nav class="segments" aria-label="${label}">${items}</nav>`;
}

/** The state of something. */
export const chip = (text: string, tone: 'good' | 'slow' | 'bad' | 'plain' = 'plain'): Html =>
  html`<span class="chip ${tone}">${text}</span>`;

/** What is said where there is nothing, and what brings something there. */
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

/** A moment as people read it, in UTC. */
export const timeOf = (at: number): Html => {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')}</time>`;
};
