// The drawing of a sequence as an image on a page. Called by the pages and by the document for approvals. Pure.
import { type Html, html } from '../../../core/unstable.ts';

/** The image of an SVG. A table below it must contain the same information. */
export const graphImage = (svg: string, title: string): Html =>
  html`<img src="data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}" alt="${title}. The table below says the same.">`;
