// The code beside the text: the forms of one example. The script turns them into tabs. Without the script they are shown one
// below the other.
import { type Html, type HtmlPart, html } from '../../core/unstable.ts';

/** One form of an example. */
export interface PanelForm {
  /** The same in all panels that switch together; undefined if a panel switches alone. */
  readonly form?: string;
  readonly title: string;
  readonly code: string;
  readonly language: 'shell' | 'js' | 'json' | 'http' | 'other';
}

const formView = ({ form, title, code, language }: PanelForm): Html =>
  html`<div class="form"${form !== undefined && html` data-form="${form}"`}><p class="caption">${title}</p><pre tabindex="0" data-lang="${language}">${code}</pre></div>
`;

/** A panel with several forms. `label` describes the example. */
export const panel = (label: string, forms: readonly PanelForm[]): Html =>
  html`<div class="panel" data-label="${label}">${forms.map(formView)}</div>`;

/** A section: text at the left, panels at the right. */
export const section = (id: string, text: HtmlPart, aside: HtmlPart, kind = ''): Html =>
  html`<section id="${id}"${kind !== '' && html` class="${kind}"`}><div class="text">${text}</div><div class="side">${aside}</div></section>
`;

/** A heading that is a link to itself. */
export const heading = (level: 2 | 3, id: string, title: HtmlPart): Html =>
  level === 2 ? html`<h2><a href="#${id}">${title}</a></h2>` : html`<h3><a href="#${id}">${title}</a></h3>`;
