// A table of a document with the style of console-style.gen.ts. Pure.
import { type Html, type HtmlPart, html } from './html.ts';

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
