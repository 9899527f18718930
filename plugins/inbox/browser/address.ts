// The page's own address: the open message, the workspace, the search and the view, so that each can be linked to.
import { pageBase, urlOf } from '../../../core/pages/browser/api.ts';
import { type InboxState, type View, views } from './state.ts';

type InboxSelection = Pick<InboxState, 'open' | 'workspace' | 'query' | 'view'>;

const isView = (text: string): text is View => (views as readonly string[]).includes(text);

/**
 * The id in an address. A malformed escape stays unchanged: no message has such an id, and the page then reports that the message
 * does not exist.
 */
function idOf(encodedId: string): string {
  try {
    return decodeURIComponent(encodedId);
  } catch (error) {
    if (error instanceof URIError) return encodedId;
    throw error;
  }
}

/** The parts of an address. */
export function readAddress(href: string): InboxSelection {
  const url = new URL(href);
  const [, id] = /^m\/([^/]+)\/?$/.exec(url.pathname.slice(pageBase.pathname.length)) ?? [];
  const workspace = url.searchParams.get('workspace') ?? '';
  const view = url.searchParams.get('view') ?? '';
  return {
    open: id === undefined ? undefined : { id: idOf(id), workspace: workspace === '' ? undefined : workspace },
    workspace,
    query: url.searchParams.get('q') ?? '',
    view: isView(view) ? view : 'message',
  };
}

/** The address of a selection. */
export function addressOf({ open, workspace, query, view }: InboxSelection): string {
  const path = open === undefined ? './' : `m/${encodeURIComponent(open.id)}`;
  return urlOf(path, { workspace, q: query, view: open === undefined || view === 'message' ? '' : view });
}
