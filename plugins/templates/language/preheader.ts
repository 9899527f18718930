// Inserts the preview text, which mail clients show beside the subject, at the beginning of a compiled body. Called by
// compile.ts only.
import { bodyPlaces } from '../../../core/pages/body-places.ts';
import { escapeHtml } from './escape.ts';
import { splitSource } from './grammar.ts';
import type { HiddenLiquid } from './hidden-liquid.ts';

/** Fills the client's preview line, so that the body's first words do not follow. */
// No tiny font: spam filters take it for hidden text (SpamAssassin's FONT_INVIS_MSGID).
const PREHEADER_STYLE = 'display:none;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all';
const PREHEADER_FILL = '&#847;&zwnj;&nbsp;'.repeat(40);

/** Returns the body with the preview text inserted and its Liquid restored. */
export async function insertPreheader(html: string, liquid: HiddenLiquid, previewText: string): Promise<string> {
  if (previewText === '') return liquid.restore(html);
  const shown = splitSource(previewText).map(({ kind, text }) => (kind === 'text' ? escapeHtml(text) : text));
  const preheader = `<div style="${PREHEADER_STYLE}">${shown.join('')}${PREHEADER_FILL}</div>`;
  const { start } = await bodyPlaces(html);
  return liquid.restore(html.slice(0, start)) + preheader + liquid.restore(html.slice(start));
}
