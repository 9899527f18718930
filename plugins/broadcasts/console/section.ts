// A part of the report: a heading with tables and charts below.
import { dataTable, type Html, type HtmlPart, html } from '../../../core/unstable.ts';

/** A column of figures. */
export const numberColumn = (head: string) => ({ head, isNumber: true });

export const section = (title: string, body: HtmlPart): Html =>
  html`<section class="stack"><h2>${title}</h2>${body}</section>`;

/** A table of many columns. If it is too wide for the page, people can scroll it, also with the keyboard. */
export const wideTable = (
  caption: string,
  ...table: [Parameters<typeof dataTable>[1], Parameters<typeof dataTable>[2]]
) =>
  html`<div class="figures" tabindex="0" role="region" aria-label="${caption}">${dataTable(caption, ...table)}</div>`;
