// Inserts the preview text, which mail clients show beside the subject, at the beginning of a body. compile.ts inserts it into compiled
// bodies, with its Liquid, and the templates service into rendered bodies.
import { htmlBodyBounds } from '../../../core/pages/html-body-bounds.ts';
import { escapeHtml } from './escape.ts';
import { splitSource } from './grammar.ts';
import type { HiddenLiquid } from './hidden-liquid.ts';

/** Fills the client's preview line, so that the body's first words do not follow. */
// No tiny font: spam filters take it for hidden text (SpamAssassin's FONT_INVIS_MSGID).
const PREHEADER_STYLE = 'display:none;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all';
const PREHEADER_FILL = '&#847;&zwnj;&nbsp;'.repeat(40);

const opening = `<div style="${PREHEADER_STYLE}">`;
const closing = `${PREHEADER_FILL}</div>`;

/** Returns the body with the preview text inserted and its Liquid restored. */
export async function insertPreheader(html: string, liquid: HiddenLiquid, previewText: string): Promise<string> {
  if (previewText === '') return liquid.restore(html);
  const pieces = splitSource(previewText).map(({ kind, text }) => (kind === 'text' ? escapeHtml(text) : text));
  const preheader = `${opening}${pieces.join('')}${closing}`;
  const { start } = await htmlBodyBounds(html);
  return liquid.restore(html.slice(0, start)) + preheader + liquid.restore(html.slice(start));
}

/** The range of the preview text in a rendered body; undefined if it has none. */
function preheaderRange(html: string): { readonly start: number; readonly end: number } | undefined {
  const start = html.indexOf(opening);
  const end = start < 0 ? -1 : html.indexOf(closing, start);
  return end < 0 ? undefined : { start, end: end + closing.length };
}

/** Returns a rendered body with this text as its preview text. */
export async function withPreheader(html: string, previewText: string): Promise<string> {
  const preheader = `${opening}${escapeHtml(previewText)}${closing}`;
  const range = preheaderRange(html);
  const { start, end } = range ?? { start: (await htmlBodyBounds(html)).start, end: undefined };
  return html.slice(0, start) + preheader + html.slice(end ?? start);
}
