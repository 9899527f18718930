// The pages of the console as the composed plugins declare them, with the path of one page of each kind. Called by tests that visit
// every page, which therefore cover new pages automatically.
import { findPage } from '../../plugins/console/location.ts';
import { isPage } from '../../plugins/console/navigation.ts';
import { entriesFor } from '../../plugins/console/overview-page.ts';
import { browserHeaders } from './console-bench.ts';
import type { openSamples } from './console-samples.ts';
import { pageRequester } from './page-requester.ts';

type Samples = Awaited<ReturnType<typeof openSamples>>;

/** The maximum number of pages of a kind that are read to find links, because only some drafts, for example, have a preview. */
const maxOfKind = 8;

/** Every page that the composed plugins declare. */
export const declaredPages = ({ service }: Pick<Samples, 'service'>) =>
  entriesFor(service.core.ports, undefined).filter(isPage);

/** The path of one page of each kind, by the pattern of its path, and the kinds to which no link leads. */
export async function onePageOfEach(samples: Samples) {
  const { service, workspaceId, importId } = samples;
  const ask = pageRequester(service, `/console/${workspaceId}`);
  const pages = declaredPages(samples);
  const found = new Map<string, string>();
  const known = new Set<string>();
  const read = new Map<string, number>();
  // No list links to an import: only the form that starts it leads to its page.
  const waiting = [
    ...pages.map(({ path }) => path).filter((path) => !path.includes('{')),
    `contacts/imports/${importId}`,
  ];
  for (const path of waiting) {
    if (found.size === pages.length) break;
    const [plain = '', query = ''] = path.split('?', 2);
    const kind = findPage(pages, plain.split('/').map(decodeURIComponent))?.page.path;
    if (known.has(path) || kind === undefined || (read.get(kind) ?? 0) >= maxOfKind) continue;
    known.add(path);
    read.set(kind, (read.get(kind) ?? 0) + 1);
    const { status, text } = await ask(`/${plain}?${query === '' ? '' : `${query}&`}side=sandbox`, browserHeaders);
    if (status !== 200) continue;
    if (!found.has(kind)) found.set(kind, plain);
    if (!text.includes('<main id="main"')) continue;
    for (const [, href = ''] of text.slice(text.indexOf('<main')).matchAll(/(?:href|src)="([^"#]+)"/g)) {
      const inside = href.replaceAll('&amp;', '&').split(`/${workspaceId}/`)[1];
      if (inside !== undefined)
        waiting.push(inside.replace(/[?&]side=\w+/, (part) => (part.startsWith('?') ? '?' : '')));
    }
  }
  // Files that a page offers only while it has rows.
  for (const { path } of pages) {
    const above = found.get(path.slice(0, path.lastIndexOf('/')));
    if (!found.has(path) && above !== undefined && path.endsWith('/csv')) found.set(path, `${above}/csv`);
  }
  return { found, lost: pages.map(({ path }) => path).filter((path) => !found.has(path)) };
}
