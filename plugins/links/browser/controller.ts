// Reads the data of the page and follows its address. Components call it; it answers with a new state.
import { Refusal, read, urlOf } from '../../../core/pages/browser/api.ts';
import { watch } from '../../../core/pages/browser/watch.ts';
import type { LinkDetails, LinkList, WorkspaceList } from '../console/wire.ts';
import { addressOf, emptyState, type Place, readAddress, type State } from './state.ts';

/** What components can do. */
export interface Controller {
  start(): void;
  /** Shows another place, and puts it into the address. */
  go(place: Partial<Place>): void;
  /** What is shown stays until the answer comes. */
  search(search: string): void;
  loadMore(): void;
}

const firstOf = (workspaces: WorkspaceList | undefined): string => workspaces?.data[0]?.id ?? '';

export function createController(show: (state: State) => void): Controller {
  let state = emptyState;
  let asked = 0;
  /** Words that are typed one after the other are one step for the browser's Back. */
  let isTyping = false;
  const tags = { links: '', details: '' };
  const set = (changed: Partial<State>): void => {
    state = { ...state, ...changed };
    show(state);
  };
  const linksUrl = (cursor?: string): string =>
    urlOf('links', { workspace: state.workspace, search: state.search, cursor });

  async function readWorkspaces(): Promise<void> {
    if (state.workspaces !== undefined) return;
    const answer = await read<WorkspaceList>(urlOf('workspaces'));
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
      if (!(error instanceof Refusal) || error.code !== 'link_not_found') throw error;
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
      if (error instanceof Refusal && error.status < 500) set({ refusal: error.message });
      else set({ online: false });
      return false;
    }
  });

  const renew = (place: Partial<Place>, isSearch = false): void => {
    asked += 1;
    isTyping = isSearch;
    tags.links = '';
    tags.details = '';
    const elsewhere = place.workspace !== undefined && place.workspace !== state.workspace;
    const isOther = elsewhere || (place.link !== undefined && place.link !== state.link);
    const isOtherList = elsewhere || (place.search !== undefined && place.search !== state.search);
    set({
      ...(elsewhere ? { link: '', search: '' } : {}),
      ...place,
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
        // An address without a workspace, such as that of the first visit, means the first one.
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
