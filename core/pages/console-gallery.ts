// Lists of console pages whose rows have pictures: as a table with small pictures, or as a gallery. The query of the page
// selects the form. Pictures come from pages of the console, so only the person's own session sees them.
import type { ConsoleContext } from '../contract/declaration/console.ts';
import { dataTable, nameCell, tabBar, viewName } from './console-parts.ts';
import { type Html, type HtmlPart, html } from './html.ts';

/** A picture, or a document in a frame that only the gallery shows. The address is one of the console. */
export type RowPicture = { readonly src: string; readonly alt: string } | { readonly document: string };

/** A row with a picture. */
export interface PicturedRow {
  readonly href: string;
  readonly name: string;
  /** A second line in a lighter colour. (Default: none) */
  readonly below?: HtmlPart;
  /** Null: a neutral picture is shown in its place. Undefined: as null, but the table shows no picture for the row. */
  readonly picture: RowPicture | null | undefined;
  /** The state. The gallery shows it, and a cell of the table, too. */
  readonly status: HtmlPart;
  /** The cells of the table after the name. */
  readonly cells: readonly HtmlPart[];
}

export const isGallery = ({ query }: Pick<ConsoleContext, 'query'>): boolean => query[viewName] === 'gallery';

/** The number of rows on a page of a list with pictures. */
export const picturedPageSize = (ctx: Pick<ConsoleContext, 'query'>): number => (isGallery(ctx) ? 24 : 50);

/** Links to the list as a table and as a gallery, with the same filters, from the first page on. */
export function viewTabs(ctx: Pick<ConsoleContext, 'link' | 'query'>, path: string): Html | null {
  const { cursor: _, [viewName]: __, ...query } = ctx.query;
  const gallery = isGallery(ctx);
  return tabBar('View', [
    { text: 'List', href: ctx.link(path, query), isCurrent: !gallery },
    { text: 'Gallery', href: ctx.link(path, { ...query, [viewName]: 'gallery' }), isCurrent: gallery },
  ]);
}

function pictureOf(picture: RowPicture | null | undefined, width: number, height: number): Html {
  if (picture === null || picture === undefined) return html`<span class="picture none"></span>`;
  if ('document' in picture)
    return html`<span class="picture" inert><iframe src="${picture.document}" title="Preview" sandbox loading="lazy" tabindex="-1"></iframe></span>`;
  return html`<span class="picture"><img src="${picture.src}" alt="${picture.alt}" width="${width}" height="${height}" loading="lazy" decoding="async"></span>`;
}

const tile = ({ href, name, below, picture, status }: PicturedRow): Html =>
  html`<li class="card tile">${pictureOf(picture, 240, 160)}<div>${nameCell(href, name, below)}${status}</div></li>`;

/** A small picture before the name. Rows whose picture is a document have none. */
function firstCell({ href, name, below, picture }: PicturedRow): Html {
  const cell = nameCell(href, name, below);
  if (picture === undefined || (picture !== null && 'document' in picture)) return cell;
  return html`<span class="pictured">${pictureOf(picture, 48, 40)}<span>${cell}</span></span>`;
}

/** The rows in the form that the query of the page selects: a table, or a gallery. `caption` is for screen readers. */
export function picturedList(
  ctx: Pick<ConsoleContext, 'query'>,
  caption: string,
  columns: Parameters<typeof dataTable>[1],
  rows: readonly PicturedRow[],
): Html {
  if (isGallery(ctx)) return html`<ul class="gallery" role="list" aria-label="${caption}">${rows.map(tile)}</ul>`;
  return dataTable(
    caption,
    columns,
    rows.map((row) => [firstCell(row), ...row.cells]),
  );
}
