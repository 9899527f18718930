// The captured mail as plain pages: a list, and each message with its HTML, text and headers. No script runs on them,
// and a message's own HTML is shown in a sandbox.

import type { Request, Response } from 'express';
import { Router } from 'express';
import type { CaptureMail } from 'postrider/adapters/mail/capture';
import { listPage, mailPage, missingPage, styles } from './inbox-pages.ts';

type Captured = ReturnType<CaptureMail['messages']>[number];

const pagePolicy =
  "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const mailPolicy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; font-src https: data:; frame-ancestors 'self'";

/** A message's id: its Message-ID without the domain. */
export const idOf = ({ messageId }: Captured): string => messageId.replace(/^<|@.*$/g, '');

function sendPage(response: Response, status: number, html: string, policy = pagePolicy): void {
  response
    .status(status)
    .set({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    })
    .send(html);
}

/** What stands before a relative address below this page, which may be asked for with or without a slash at its end. */
function belowPage({ originalUrl }: Request): string {
  const path = originalUrl.split('?', 1)[0] ?? '';
  return path.endsWith('/') ? './' : `./${path.slice(path.lastIndexOf('/') + 1)}/`;
}

/** The way from a message's page to the list. */
const toList = (request: Request): string => (belowPage(request) === './' ? '../' : './');

/** The inbox: `app.use('/inbox', inboxPages(mail))`. */
export function inboxPages(mail: CaptureMail): Router {
  const router = Router();
  const find = (request: Request) => mail.messages().find((message) => idOf(message) === request.params['id']);

  router.get('/', (request, response) => {
    const rows = mail
      .messages()
      .map((message) => ({ message, href: belowPage(request) + encodeURIComponent(idOf(message)) }));
    sendPage(response, 200, listPage(rows, belowPage(request)));
  });

  router.get('/inbox.css', (_request, response) => void response.type('text/css').send(styles));

  router.get('/:id', (request, response) => {
    const message = find(request);
    const home = toList(request);
    if (message === undefined) sendPage(response, 404, missingPage(home));
    else sendPage(response, 200, mailPage(message, home, `${belowPage(request)}html`));
  });

  router.get('/:id/html', (request, response) => {
    const message = find(request);
    if (message === undefined) sendPage(response, 404, missingPage('../'));
    else sendPage(response, 200, message.html, mailPolicy);
  });

  return router;
}
