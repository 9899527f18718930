// The link from a page for a program's own people back to the start page that lists these pages. Written by the frames
// of the pages.
import { escapeHtml } from './html.ts';

/** The start page that a page links back to. */
export interface StartLink {
  /** The path of the start page; undefined if the host does not name one. */
  readonly startPage: string | undefined;
  /** The name of the service. */
  readonly service: string;
}

/**
 * The body of a document. If there is a start page, a bar with the brand mark and the name of the service is above the
 * body. `body` is HTML. The style of the bar is start-bar.css.
 */
export function bodyWithStart({ startPage, service }: StartLink, body: string): string {
  if (startPage === undefined) return `<body>\n${body}\n</body>`;
  const name = escapeHtml(service);
  return `<body class="with-start">
<nav aria-label="Start page"><a class="start" href="${escapeHtml(startPage)}" aria-label="${name}: start page"><svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M8 11h16v11H8z M8 11l8 7 8-7"/></svg><b>${name}</b></a></nav>
${body}
</body>`;
}
