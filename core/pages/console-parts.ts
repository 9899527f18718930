// The parts of pages inside the console: tables, pills, facts, timelines, filters. Called by the pages that plugins add to the
// console. Each part is HTML that works without a script; its style is in plugins/console/browser.
import type { ConsoleContext } from '../contract/declaration/console.ts';
import { type Html, type HtmlPart, html } from './html.ts';

/** The meaning of a state, which decides its colour. */
export type PillTone = 'good' | 'wait' | 'bad' | 'info' | 'plain';

/** The state of something: a dot and a word in sentence case. */
export const pill = (text: string, tone: PillTone = 'plain'): Html => html`<span class="pill ${tone}">${text}</span>`;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const utc = (at: Date, now: number): string => {
  const year = at.getUTCFullYear() === new Date(now).getUTCFullYear() ? {} : ({ year: 'numeric' } as const);
  return at.toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...year,
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  });
};

/** The distance of a time from now, in words; undefined if it is a day or more. */
function distance(ms: number): string | undefined {
  const size = Math.abs(ms);
  if (size >= dayMs) return undefined;
  if (size < minuteMs) return ms >= 0 ? 'just now' : 'in less than a minute';
  const words = size < hourMs ? `${Math.floor(size / minuteMs)} min` : `${Math.floor(size / hourMs)} h`;
  return ms >= 0 ? `${words} ago` : `in ${words}`;
}

/**
 * A time: `2 min ago` within a day, else `28 Nov, 13:24 UTC`. The exact time in UTC is its title. With a script, the browser shows
 * the viewer's own time zone. `at` is ISO 8601.
 */
export function moment(at: string, { now }: Pick<ConsoleContext, 'now'>): Html {
  const date = new Date(at);
  const text = distance(now - date.getTime()) ?? `${utc(date, now)} UTC`;
  return html`<time datetime="${at}" title="${at.slice(0, 19).replace('T', ' ')} UTC">${text}</time>`;
}

const exactTime = (at: string, { now }: Pick<ConsoleContext, 'now'>): Html =>
  html`<time class="exact" datetime="${at}">${utc(new Date(at), now)} UTC</time>`;

/** Replaces the times in a sentence of the API with dates in the viewer's time zone (in UTC without a script). */
export function withMoments(text: string, ctx: Pick<ConsoleContext, 'now'>): Html {
  const parts = text.split(/(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/);
  // Every second part is a time.
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : exactTime(part, ctx)))}`;
}

/** An id in a list or a fact. */
export const idOfRow = (id: string): Html => html`<code class="id">${id}</code>`;

/** A value that people copy to another program. With a script, it has a button that does so. */
export const copyable = (value: string): Html => html`<code class="id" data-copy>${value}</code>`;

/** The first cell of a row: a name that leads to the page of the row, and a quiet second line. */
export const nameCell = (href: string, name: string, below?: HtmlPart): Html =>
  html`<a class="name" dir="auto" href="${href}">${name}</a>${below === undefined ? null : html`<span class="below">${below}</span>`}`;

/** A column of a table. */
interface Column {
  readonly head: string;
  /** Whether the column has numbers: they are aligned at the end, with digits of equal width. (Default: false) */
  readonly isNumber?: boolean;
}

/** A table. In narrow windows each row is a card. `caption` is for screen readers. */
export function dataTable(
  caption: string,
  columns: readonly (Column | string)[],
  rows: readonly (readonly HtmlPart[])[],
): Html {
  const allColumns = columns.map((column) => (typeof column === 'string' ? { head: column } : column));
  const classOf = ({ isNumber = false }: Column): Html | null => (isNumber ? html` class="n"` : null);
  const heads = allColumns.map(
    (column) => html`<th role="columnheader" scope="col"${classOf(column)}>${column.head}</th>`,
  );
  const cellsOf = (row: readonly HtmlPart[]): Html[] =>
    allColumns.map(
      (column, index) =>
        html`<td role="cell" data-head="${column.head}"${classOf(column)}><span>${row[index]}</span></td>`,
    );
  return html`<div class="card table"><table role="table"><caption>${caption}</caption><thead role="rowgroup"><tr role="row">${heads}</tr></thead><tbody role="rowgroup">${rows.map((row) => html`<tr role="row">${cellsOf(row)}</tr>`)}</tbody></table></div>`;
}

/** Names with their values. Pairs without a value are left out. */
export function facts(pairs: readonly (readonly [name: string, value: HtmlPart])[]): Html {
  const items = pairs.flatMap(([name, value]) =>
    value === undefined || value === null || value === false || value === ''
      ? []
      : [html`<div><dt>${name}</dt><dd dir="auto">${value}</dd></div>`],
  );
  return html`<dl class="facts">${items}</dl>`;
}

/** One step of a timeline. */
export interface TimelineStep {
  /** ISO 8601. */
  readonly at: string;
  readonly title: HtmlPart;
  readonly detail?: HtmlPart;
  readonly tone?: PillTone;
}

/** A timeline of these steps, in the order of the list. */
export const timelineOf = (ctx: Pick<ConsoleContext, 'now'>, steps: readonly TimelineStep[]): Html =>
  html`<ol class="timeline">${steps.map(
    ({ at, title, detail, tone = 'plain' }) =>
      html`<li class="${tone}"><p class="step"><span dir="auto">${title}</span> ${moment(at, ctx)}</p>${detail === undefined ? null : html`<p class="quiet" dir="auto">${detail}</p>`}</li>`,
  )}</ol>`;

/** A titled card. */
export const panel = (title: string, body: HtmlPart): Html =>
  html`<section class="card panel"><h2>${title}</h2>${body}</section>`;

/** The page of one thing: the main column, and its facts beside it. */
export const detailLayout = (main: HtmlPart, aside: HtmlPart): Html =>
  html`<div class="detail"><div class="stack">${main}</div><div class="stack">${aside}</div></div>`;

/** A chart (SVG), and below it a table with the same values, which the viewer can open. */
export function pictureWithTable(title: string, picture: string, table: Html): Html {
  const source = `data:image/svg+xml;base64,${Buffer.from(picture).toString('base64')}`;
  return html`<img class="chart" src="${source}" alt="${title}. The table below says the same."><details><summary>The figures as a table</summary>${table}</details>`;
}

/** The answer to the question of the page, as one sentence. */
export const conclusion = (tone: PillTone, sentence: HtmlPart, detail?: HtmlPart): Html =>
  html`<div class="conclusion ${tone}"><p dir="auto">${sentence}</p>${detail === undefined ? null : html`<p class="quiet" dir="auto">${detail}</p>`}</div>`;

/** Shown instead of an empty list: one sentence, and a link to the next step. */
export const emptyNotice = (sentence: string, link?: { readonly text: string; readonly href: string }): Html =>
  html`<div class="card empty"><p>${sentence}</p>${link === undefined ? null : html`<p><a class="button" href="${link.href}">${link.text}</a></p>`}</div>`;

/** The name of the query parameter that selects the form of a list. Lists pass it to `filterForm`, so that filtering keeps the form. */
export const viewName = 'view';

/** A link to the list without its filters. It keeps the form of the list: a table or a gallery. */
export const clearFilters = ({ link, query }: Pick<ConsoleContext, 'link' | 'query'>, path: string) => ({
  text: 'Clear filters',
  href: link(path, query[viewName] === undefined ? {} : { [viewName]: query[viewName] }),
});

/** Links to the next page of a list, and back to the first page. Empty if the list has only one page. */
export function pager(
  ctx: Pick<ConsoleContext, 'link' | 'query'>,
  path: string,
  next: string | null | undefined,
): Html | null {
  const { cursor, ...query } = ctx.query;
  if (cursor === undefined && (next === null || next === undefined)) return null;
  const newestLink = cursor === undefined ? null : html`<a class="button" href="${ctx.link(path, query)}">Newest</a>`;
  const olderLink =
    next === null || next === undefined
      ? null
      : html`<a class="button" rel="next" href="${ctx.link(path, { ...query, cursor: next })}">Older</a>`;
  return html`<nav class="pager" aria-label="Pages of the list">${newestLink}${olderLink}</nav>`;
}

/** A field of a filter. */
interface FilterField {
  readonly name: string;
  readonly label: string;
  /** The values to choose from, each with its label. (Default: a text field) */
  readonly options?: readonly (readonly [value: string, label: string])[];
  /** The label of the option that does not filter. (Default: All) */
  readonly none?: string;
}

/**
 * The filter of a list, as a form. The address of the page contains the chosen values. `keptNames`: names of other query
 * parameters, which stay in the address when the filter is used or cleared. (Default: none)
 */
export function filterForm(
  ctx: Pick<ConsoleContext, 'link' | 'query' | 'side'>,
  path: string,
  fields: readonly FilterField[],
  keptNames: readonly string[] = [],
): Html {
  const inputs = fields.map(({ name, label, options, none = 'All' }) => {
    const value = ctx.query[name] ?? '';
    if (options === undefined)
      return html`<label class="field"><span>${label}</span><input type="search" name="${name}" value="${value}" maxlength="254" autocomplete="off" data-filter></label>`;
    const choices = [['', none] as const, ...options].map(
      ([choice, words]) =>
        html`<option value="${choice}"${choice === value ? html` selected` : null}>${words}</option>`,
    );
    return html`<label class="field"><span>${label}</span><select name="${name}">${choices}</select></label>`;
  });
  const isFiltered = fields.some(({ name }) => ctx.query[name] !== undefined);
  const keptEntries = Object.entries(ctx.query).filter(([name]) => keptNames.includes(name));
  const address = ctx.link(path, Object.fromEntries(keptEntries));
  const hidden = [['side', ctx.side], ...keptEntries].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const clear = isFiltered ? html`<a class="button quiet" href="${address}">Clear filters</a>` : null;
  return html`<form class="filters" role="search" method="get" action="${address.split('?', 1)[0]}">${hidden}${inputs}<button class="button" type="submit">Show</button>${clear}</form>`;
}

/** A field of an action's form. */
export interface ActionInput {
  readonly name: string;
  readonly label: string;
  /** (Default: '') */
  readonly value?: string;
  /** The values to choose from, each with its label. (Default: a text field) */
  readonly options?: readonly (readonly [value: string, label: string])[];
  /** Whether the text may have several lines. (Default: false) */
  readonly isLong?: boolean;
  /** (Default: false) */
  readonly isRequired?: boolean;
  /** (Default: 500) */
  readonly maxLength?: number;
  /** The types of text files that the person may choose instead of typing, in the format of HTML's `accept`. (Default: none) */
  readonly accept?: string;
}

function actionInput(input: ActionInput): Html {
  const { name, label, value = '', options, isLong, isRequired, maxLength = 500, accept } = input;
  const required = isRequired === true ? html` required` : null;
  if (options !== undefined) {
    const choices = options.map(
      ([choice, words]) =>
        html`<option value="${choice}"${choice === value ? html` selected` : null}>${words}</option>`,
    );
    return html`<label class="field"><span>${label}</span><select name="${name}"${required}>${choices}</select></label>`;
  }
  const field =
    isLong === true
      ? html`<textarea name="${name}" rows="3" maxlength="${maxLength}" dir="auto"${accept === undefined ? null : html` data-accept="${accept}"`}${required}>${value}</textarea>`
      : html`<input name="${name}" value="${value}" maxlength="${maxLength}" autocomplete="off" dir="auto"${required}>`;
  return html`<label class="field"><span>${label}</span>${field}</label>`;
}

/**
 * The form of an action of the page. When opened, it shows `question`, which names the affected things, and a button with `verb`.
 * `fields` are hidden values; the person fills in `inputs`. After a refusal, the form is open and contains the person's input.
 */
export function actionForm(
  ctx: Pick<ConsoleContext, 'newIdempotencyKey' | 'refusedForm'>,
  action: string,
  options: {
    /** Whether the form is open from the beginning, because it is the purpose of the page. (Default: false) */
    readonly isOpen?: boolean;
    readonly label: string;
    readonly question: HtmlPart;
    readonly verb: string;
    readonly isDestructive?: boolean;
    readonly fields?: Readonly<Record<string, string>>;
    readonly inputs?: readonly ActionInput[];
  },
): Html {
  const { isOpen = false, label, question, verb, isDestructive = false, fields = {}, inputs = [] } = options;
  const refused = ctx.refusedForm;
  // A page may have the form once for each row.
  const isRefused =
    refused?.action === action && Object.entries(fields).every(([name, value]) => refused.fields[name] === value);
  const filledInputs = isRefused
    ? inputs.map((input) => ({ ...input, value: refused.fields[input.name] ?? '' }))
    : inputs;
  const hidden = Object.entries({ action, key: ctx.newIdempotencyKey(), ...fields }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<details class="action"${isRefused || isOpen ? html` open` : null}><summary class="button">${label}</summary><form class="card" method="post">${hidden}<p dir="auto">${question}</p>${filledInputs.map(actionInput)}<p><button class="button ${isDestructive ? 'danger' : 'primary'}" type="submit">${verb}</button></p></form></details>`;
}

/** Links to the parts of a page, or to the values of a filter, with the current link marked. Empty if there are fewer than two. */
export function tabBar(
  label: string,
  links: readonly { readonly text: string; readonly href: string; readonly isCurrent: boolean }[],
): Html | null {
  if (links.length < 2) return null;
  const items = links.map(
    ({ text, href, isCurrent }) => html`<a href="${href}"${isCurrent ? html` aria-current="true"` : null}>${text}</a>`,
  );
  return html`<nav class="tabs" aria-label="${label}">${items}</nav>`;
}

/**
 * The part of a form's page that says what the form means now. With a script it is kept up to date while the person fills in the
 * form: the form is sent as by its first button, and this part of the answer is shown. So the form's action must only read.
 */
export const liveResult = (body: HtmlPart): Html => html`<div class="stack" role="status" data-live>${body}</div>`;

/**
 * A document of another page of the console in a frame, in which no script runs. `isNarrow`: 320 px wide. (Default: as
 * wide as its panel)
 */
export function documentFrame(href: string, title: string, isNarrow = false): Html {
  const frame = html`<iframe class="document${isNarrow ? ' narrow' : ''}" src="${href}" title="${title}" sandbox loading="lazy"></iframe>`;
  return isNarrow ? html`<div class="scroll" tabindex="0" role="region" aria-label="${title}">${frame}</div>` : frame;
}
