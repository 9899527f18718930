// The HTML frame of the page of social posts: one style, no script, readable in light and dark and from 320 px.
import { createHash } from 'node:crypto';
import type { HttpResponse } from '../../../core/index.ts';
import { escapeHtml, plainAnswer } from '../../../core/unstable.ts';
import { style } from './style.ts';

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Markup that is safe to put into a page. */
export interface Html {
  readonly html: string;
}

type Part = string | number | Html | null | readonly Html[];

const written = (part: Part): string => {
  if (part === null) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return 'html' in part ? part.html : part.map(({ html }) => html).join('');
};

/** A template whose values are escaped, but for markup. */
export const markup = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: texts.map((text, index) => (index === 0 ? text : written(parts[index - 1] ?? null) + text)).join(''),
});

/** A whole document. */
export function pageOf(title: string, body: Html): HttpResponse {
  const { html } =
    markup`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><style>${{ html: style }}</style></head><body><main>${body}</main></body></html>`;
  // A browser without a referrer sends forms without an origin, and the page would take its own for another site's.
  const headers = { 'Content-Security-Policy': policy, 'Referrer-Policy': 'same-origin' };
  return plainAnswer('text/html; charset=utf-8', html, headers);
}

/** A link of a choice, marked where it is the present one. */
export const choice = (text: string, href: string, isPresent: boolean): Html =>
  isPresent ? markup`<a aria-current="true" href="${href}">${text}</a>` : markup`<a href="${href}">${text}</a>`;
