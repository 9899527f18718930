// The HTML frame of the page of sequences: one style, no script, readable in light and dark and from 320 px.
import type { HttpResponse } from '../../../core/index.ts';
import type { Html, HtmlPart } from '../../../core/unstable.ts';
import { html, pageColours, pageFrame, plainAnswer } from '../../../core/unstable.ts';

const frame = pageFrame(
  `${pageColours}*{box-sizing:border-box}
body{margin:0;font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
main{max-width:1080px;margin:0 auto;padding:20px 16px 48px}
a{color:var(--link)}a:focus-visible,.wide:focus-visible{outline:3px solid var(--link);outline-offset:2px}
h1{font-size:24px;margin:4px 0;overflow-wrap:anywhere}h2{font-size:18px;margin:28px 0 8px}
nav{display:flex;flex-wrap:wrap;gap:4px 16px}nav [aria-current]{font-weight:600;color:var(--ink);text-decoration:none}
form{display:flex;flex-wrap:wrap;gap:8px;align-items:end;margin:10px 0}label{min-width:0}input,button{font:inherit;color:var(--ink);background:var(--card);border:1px solid var(--soft);border-radius:6px;padding:5px 10px;max-width:100%}
input:focus-visible,button:focus-visible{outline:3px solid var(--link);outline-offset:2px}
p{margin:6px 0}.hush{color:var(--soft)}.bad{color:var(--out)}
.wide{overflow-x:auto;background:var(--card);border:1px solid var(--faint);border-radius:10px}
.graph{padding:12px;text-align:center}.graph img{max-width:none}
table{border-collapse:collapse;width:100%}caption{text-align:left;padding:10px 12px;color:var(--soft)}
th,td{text-align:left;padding:8px 12px;border-top:1px solid var(--faint);vertical-align:top}
th{font-weight:600;white-space:nowrap}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
`,
  { 'img-src': "'self' data:", 'form-action': "'self'" },
);

/** A whole document. */
export function pageOf(title: string, body: Html): HttpResponse {
  const text = frame.write({ title, icon: 'data:,', body: html`<main>${body}</main>`.html });
  return plainAnswer('text/html; charset=utf-8', text, frame.headers);
}

/** A table that scrolls sideways by keyboard, too, where it is wider than the window. */
export function tableOf(caption: string, heads: readonly string[], rows: readonly (readonly HtmlPart[])[]): Html {
  const cell = (part: HtmlPart): Html =>
    typeof part === 'number' ? html`<td class="n">${part}</td>` : html`<td>${part}</td>`;
  const head = (text: string, column: number): Html =>
    typeof rows[0]?.[column] === 'number'
      ? html`<th scope="col" class="n">${text}</th>`
      : html`<th scope="col">${text}</th>`;
  return html`<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}</caption><thead><tr>${heads.map(head)}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>`)}</tbody></table></div>`;
}

/** A moment as people read it, in UTC. */
export const timeOf = (at: number): Html => {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')}</time>`;
};
