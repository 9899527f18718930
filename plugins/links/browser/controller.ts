// Reads the data of the page and follows its address. Components call it; it sets a new state.
import { PageApiRefusal, read, urlOf } from '../../../core/pages/browser/api.ts';
import { watch } from '../../../core/pages/browser/watch.ts';
import type { LinkDetails, LinkList, LinksWorkspaceList } from '../console/wire.ts';
import { addressOf, emptyState, type LinkSelection, type LinksState, readAddress } from './state.ts';

/** The actions of components. */
export interface LinksController {
  start(): void;
  /** Shows another selection, and puts it into the address. */
  go(selection: Partial<LinkSelection>): void;
  /** The present content stays until the response arrives. */
  search(search: string): void;
  loadMore(): void;
}

const firstOf = (workspaces: LinksWorkspaceList | undefined): string => workspaces?.data[0]?.id ?? '';

export function createController(show: (state: LinksState) => void): LinksController {
  let state = emptyState;
  let asked = 0;
  /** Words that are typed one after the other count as one step for the browser's Back. */
  let isTyping = false;
  const tags = { links: '', details: '' };
  const set = (changed: Partial<LinksState>): void => {
    state = { ...state, ...changed };
    show(state);
  };
  const linksUrl = (cursor?: string): string =>
    urlOf('links', { workspace: state.workspace, search: state.search, cursor });

  async function readWorkspaces(): Promise<void> {
    if (state.workspaces !== undefined) return;
    const answer = await read<LinksWorkspaceList>(urlOf('workspaces'));
    if (answer === undefined) return;
    set({ workspaces: answer.value, workspace: state.workspace || firstOf(answer.value) });
  }

  async function readLinks(): Promise<void> {
    const request = asked;
    const answer = await read<LinkList>(linksUrl(), tags.links);
    if (answer === undefined || request !== asked) return;
    tags.links = answer.tag;
    const { data, next_cursor } = answer.value;
    const fresh = new Set(data.map(({ linkId }) => linkId));
    const before = state.isOutdated ? [] : (state.links?.slice(data.length) ?? []);
    const older = before.filter(({ linkId }) => !fresh.has(linkId));
    set({ isOutdated: false, links: [...data, ...older], cursor: older.length > 0 ? state.cursor : next_cursor });
    if (state.link === '') {
      const link = data[0]?.linkId ?? '';
      set({ link, ...(state.details?.link.linkId === link ? {} : { details: undefined }) });
    }
  }

  async function readDetails(): Promise<void> {
    const { link, workspace, days } = state;
    if (link === '' || state.isGone) return;
    const request = asked;
    try {
      const answer = await read<LinkDetails>(
        urlOf(`links/${encodeURIComponent(link)}`, { workspace, days }),
        tags.details,
      );
      if (answer === undefined || request !== asked) return;
      tags.details = answer.tag;
      set({ details: answer.value, isGone: false });
    } catch (error) {
      if (!(error instanceof PageApiRefusal) || error.code !== 'link_not_found') throw error;
      if (request === asked) set({ details: undefined, isGone: true });
    }
  }

  const { now } = watch(async () => {
    try {
      await readWorkspaces();
      if (state.workspace !== '') {
        await readLinks();
        await readDetails();
      }
      if (!state.online || state.refusal !== undefined) set({ online: true, refusal: undefined });
      return true;
    } catch (error) {
      if (error instanceof PageApiRefusal && error.status < 500) set({ refusal: error.message });
      else set({ online: false });
      return false;
    }
  });

  const renew = (selection: Partial<LinkSelection>, isSearch = false): void => {
    asked += 1;
    isTyping = isSearch;
    tags.links = '';
    tags.details = '';
    const elsewhere = selection.workspace !== undefined && selection.workspace !== state.workspace;
    const isOther = elsewhere || (selection.link !== undefined && selection.link !== state.link);
    const isOtherList = elsewhere || (selection.search !== undefined && selection.search !== state.search);
    set({
      ...(elsewhere ? { link: '', search: '' } : {}),
      ...selection,
      ...(isOtherList ? { cursor: null, isOutdated: isSearch } : {}),
      ...(isOtherList && !isSearch ? { links: undefined } : {}),
      ...(isOther && !isSearch ? { details: undefined, isGone: false } : {}),
    });
    now();
  };

  return {
    start() {
      set(readAddress(location.href));
      window.addEventListener('popstate', () => {
        const place = readAddress(location.href);
        // An address without a workspace, such as the address of the first visit, shows the first workspace.
        renew({ ...place, workspace: place.workspace || firstOf(state.workspaces) });
      });
      now();
    },
    go(place) {
      renew(place);
      history.pushState(null, '', addressOf(state));
    },
    search(search) {
      const isFurther = isTyping;
      renew({ search, link: '' }, true);
      if (isFurther) history.replaceState(null, '', addressOf(state));
      else history.pushState(null, '', addressOf(state));
    },
    loadMore() {
      const { cursor } = state;
      const request = asked;
      if (cursor === null) return;
      read<LinkList>(linksUrl(cursor))
        .then((answer) => {
          if (answer === undefined || request !== asked || state.cursor !== cursor) return;
          const known = new Set(state.links?.map(({ linkId }) => linkId));
          const older = answer.value.data.filter(({ linkId }) => !known.has(linkId));
          set({ links: [...(state.links ?? []), ...older], cursor: answer.value.next_cursor });
        })
        .catch(() => set({ online: false }));
    },
  };
}
