// Writes the pages of this folder. Their policy allows no script and no frame, and loads nothing except a client's logo.
import type { HttpResponse, PublicRequest, PublicRouteContext } from '../../../core/index.ts';
import { type Html, html, pageFrame, plainResponse } from '../../../core/unstable.ts';
import { style } from './style.ts';

/** The content of a page. */
export interface ConsentDocument {
  readonly title: string;
  readonly body: Html;
  /** (Default: 200) */
  readonly status?: number;
  /** The origin of the client's logo, if the page shows one. */
  readonly pictureOrigin?: string | undefined;
  /**
   * The targets outside this site to which a submitted form may redirect, as sources of a Content-Security-Policy,
   * because browsers also check redirects after a form. (Default: none)
   */
  readonly formTargets?: string;
}

/** Puts the content into the frame of a page, and adds the headers that restrict the page. */
export function writePage(
  { ports }: Pick<PublicRouteContext, 'ports'>,
  { startPage }: Pick<PublicRequest, 'startPage'>,
  { title, body, status = 200, pictureOrigin, formTargets }: ConsentDocument,
): HttpResponse {
  const { name } = ports.service;
  const frame = pageFrame(style, {
    'img-src': pictureOrigin === undefined ? 'data:' : `data: ${pictureOrigin}`,
    'form-action': formTargets === undefined ? "'self'" : `'self' ${formTargets}`,
  });
  const text = frame.write({
    title: `${title} · ${name}`,
    icon: 'data:,',
    start: { startPage, service: name },
    body: html`<main>${body}</main>`.html,
  });
  // No Cross-Origin-Opener-Policy, because a client that opens this page in its own window waits there for the
  // redirect.
  const headers = { ...frame.headers, 'X-Frame-Options': 'DENY' };
  return { ...plainResponse('text/html; charset=utf-8', text, headers), status };
}

/** A page that explains why nothing is shown, or why nothing was changed. */
export const refusalPage = (
  ctx: Pick<PublicRouteContext, 'ports'>,
  request: Pick<PublicRequest, 'startPage'>,
  status: number,
  title: string,
  message: string,
): HttpResponse => writePage(ctx, request, { title, status, body: html`<h1>${title}</h1><p>${message}</p>` });
