// The bar above a page for a program's own people, with links back to the start page that lists these pages, and to the
// console. Written by the frames of the pages.
import { escapeHtml } from './html.ts';

/** The pages to which a page links back. */
export interface StartLink {
  /** The path of the start page; undefined if the host does not name one. */
  readonly startPage: string | undefined;
  /** The address of the console. (Default: no link) */
  readonly console?: string | undefined;
  /** The name of the service. */
  readonly service: string;
}

const mark =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M8 11h16v11H8z M8 11l8 7 8-7"/></svg>';

/**
 * The body of a document, with the bar above it if there is a page to link back to. The brand mark and the name of the
 * service link to the start page. `body` is HTML. The style of the bar is start-bar.css.
 */
export function bodyWithStart({ startPage, console, service }: StartLink, body: string): string {
  if (startPage === undefined && console === undefined) return `<body>\n${body}\n</body>`;
  const name = escapeHtml(service);
  const links = [
    startPage === undefined
      ? ''
      : `<a class="start" href="${escapeHtml(startPage)}" aria-label="${name}: start page">${mark}<b>${name}</b></a>`,
    console === undefined
      ? ''
      : `<a class="start" href="${escapeHtml(console)}">${startPage === undefined ? mark : ''}<b>Console</b></a>`,
  ];
  return `<body class="with-start">
<nav aria-label="${startPage === undefined ? 'Console' : 'Start page'}">${links.join('')}</nav>
${body}
</body>`;
}
