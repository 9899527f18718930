// The HTML frame of the page of social posts: one style, no script, readable in light and dark and from 320 px.
import type { HttpResponse } from '../../../core/index.ts';
import type { Html } from '../../../core/unstable.ts';
import { html, pageFrame, plainAnswer } from '../../../core/unstable.ts';
import { style } from './style.ts';

const frame = pageFrame(style, { 'img-src': "'self' data:", 'form-action': "'self'" });

/** A whole document. */
export function pageOf(title: string, body: Html): HttpResponse {
  const text = frame.write({ title, icon: 'data:,', body: html`<main>${body}</main>`.html });
  return plainAnswer('text/html; charset=utf-8', text, frame.headers);
}

/** A link of a choice, marked where it is the present one. */
export const choice = (text: string, href: string, isPresent: boolean): Html =>
  isPresent ? html`<a aria-current="true" href="${href}">${text}</a>` : html`<a href="${href}">${text}</a>`;
