// Parts of a sequence that several pages show: its picture, and its nodes as text. Pure.
import { type Html, html } from '../../../core/unstable.ts';
import type { SequenceNode } from '../definition/schema.ts';
import { nodeWords } from '../graph/describe.ts';

export const pictureStyle = '.graph{padding:.75rem;text-align:center}.graph img{max-width:none}';

/** The picture at a URL. A table below it must contain the same information. */
export const pictureAt = (source: string, title: string): Html =>
  html`<div class="sheet graph" tabindex="0" role="region" aria-label="Picture"><img src="${source}" alt="${title}. The table below says the same."></div>`;

/** A node in a table. */
export function nodeCell(node: SequenceNode): Html {
  const { title, detail } = nodeWords(node);
  return html`${title} ${detail}<br><span class="hush">${node.id}</span>`;
}
