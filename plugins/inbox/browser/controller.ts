// Performs the actions of the user and of timers. Only this file and open-message.ts change the state.

import { change, PageApiRefusal, read, urlOf } from '../../../core/pages/browser/api.ts';
import type { NoticeText } from '../../../core/pages/browser/notice.ts';
import { watch } from '../../../core/pages/browser/watch.ts';
import type { InboxWorkspaceList, MessageItem, MessagePage, ReportResponse, ReportType } from '../wire.ts';
import { addressOf, readAddress } from './address.ts';
import { counted, statusOf } from './format.ts';
import { arrivals, mergeFirstPage } from './merge.ts';
import { createOpenMessageReader } from './open-message.ts';
import { loadSetting, storeSetting } from './settings.ts';
import type { InboxState, Store, View } from './state.ts';

const pageSize = '50';
/** The largest page that the service returns. */
const largePage = '100';

/** The actions of the page. */
export interface InboxController {
  start(): void;
  show(item: Pick<MessageItem, 'id' | 'workspace'>): void;
  close(): void;
  /** Opens the next older (1) or newer (-1) message of the list. */
  step(by: 1 | -1): void;
  /** Searches the messages. With `thenOpen`, also opens the first message that is found. */
  search(query: string, thenOpen?: boolean): void;
  choose(workspace: string): void;
  turnTo(view: View): void;
  set(choice: Partial<Pick<InboxState, 'width' | 'scheme'>>): void;
  /** Loads remote images of the open message only, or of all messages from now on, or stops loading them. */
  loadRemote(which: 'once' | 'always' | 'never'): void;
  loadMore(): void;
  remove(id: string): void;
  clear(): void;
  markAllSeen(): void;
  report(type: ReportType, url?: string): void;
  notify(text: string, tone?: NoticeText['tone']): void;
  /** Whether the visitor may delete messages of the workspace and report about them. An empty workspace means all workspaces. */
  mayChange(workspace: string): boolean;
}

/** The state of a history entry that this page added when it opened a message. The entry before it shows the list. */
const openedHere = 'opened';

/** The controller of a store. It sends no request before `start`. */
export function createController(store: Store): InboxController {
  /** Incremented when another list is requested: late answers to earlier requests are dropped. */
  let listRequest = 0;
  let listTag = '';
  /** Opens the first message of the next list. */
  let openFirst = false;
  /** The user searched. If nothing is found, the open message is closed. */
  let searched = false;
  /** A message was closed, and the browser returns to the history entry of the list. */
  let closing = false;
  const opened = createOpenMessageReader(store);

  const notify = (text: string, tone: NoticeText['tone'] = 'good'): void =>
    store.set({ notice: { text, tone, at: Date.now() } });
  const complain = (error: unknown): void =>
    notify(error instanceof PageApiRefusal ? error.message : 'The service cannot be reached.', 'bad');
  const attempt = (work: () => Promise<void>): void => {
    work().catch(complain);
  };

  const listParameters = () => ({ workspace: store.state.workspace, q: store.state.query, limit: pageSize });

  async function readList(): Promise<void> {
    const request = listRequest;
    const answer = await read<MessagePage>(urlOf('messages', listParameters()), listTag);
    if (request !== listRequest || answer === undefined) return;
    const { items, cursor, arrived } = store.state;
    const { value } = answer;
    listTag = answer.tag;
    const merged = mergeFirstPage({ items: items ?? [], cursor }, value);
    // A request for older messages that is still running continues the previous list. Its answer is dropped if the new list ends elsewhere.
    if (merged.cursor !== cursor) listRequest += 1;
    store.set({
      ...merged,
      total: value.total,
      matching: value.matching,
      unread: value.unread,
      arrived: items === undefined ? arrived : new Set([...arrived, ...arrivals(items, value)]),
    });
    if (openFirst) openFound();
    if (searched && value.data.length === 0 && store.state.query !== '') {
      store.set({ stepped: undefined });
      leave();
    }
    searched = false;
  }

  /** Closes the open message without moving the focus. */
  function leave(): void {
    if (store.state.open === undefined) return;
    store.set({ open: undefined });
    closing = history.state === openedHere;
    if (closing) history.back();
    else history.replaceState(history.state, '', addressOf(store.state));
    renewDetail();
  }

  /** Opens the first message of the list, which the user asked for with Enter. */
  function openFound(): void {
    const [first] = store.state.items ?? [];
    openFirst = false;
    if (first !== undefined) controller.show(first);
  }

  /** Loads older messages. Returns false if there are no older messages, or if they are already being loaded. */
  async function readOlder(limit: string): Promise<boolean> {
    const { cursor, busy } = store.state;
    if (cursor === null || busy) return false;
    const request = listRequest;
    store.set({ busy: true });
    const url = urlOf('messages', { ...listParameters(), limit, cursor });
    const answer = await read<MessagePage>(url).finally(() => store.set({ busy: false }));
    if (request !== listRequest || answer === undefined) return false;
    const { items = [] } = store.state;
    const known = new Set(items.map(({ id }) => id));
    const older = answer.value.data.filter(({ id }) => !known.has(id));
    store.set({ items: [...items, ...older], cursor: answer.value.next_cursor });
    return true;
  }

  /** Loads older messages until the open one is listed: a link may lead to any of them. */
  async function seekOpen(): Promise<void> {
    for (;;) {
      const { detail, items, query, busy } = store.state;
      const last = items?.at(-1);
      if (detail === undefined || last === undefined || query !== '' || busy) return;
      if (last.created_at < detail.created_at || items?.some(({ id }) => id === detail.id) === true) return;
      if (!(await readOlder(largePage))) return;
    }
  }

  async function readWorkspaces(): Promise<void> {
    if (store.state.workspaces !== undefined) return;
    const answer = await read<InboxWorkspaceList>(urlOf('workspaces'));
    if (answer === undefined) return;
    const { together, data } = answer.value;
    // There are too many workspaces to show them together, so the first one is chosen. The user can choose another one.
    const first = together ? '' : (data[0]?.id ?? '');
    store.set({ workspaces: answer.value, workspace: store.state.workspace || first });
  }

  async function poll(): Promise<boolean> {
    try {
      await readWorkspaces();
      await Promise.all([readList(), opened.read()]);
      await seekOpen();
      if (!store.state.online || store.state.refusal !== undefined) store.set({ online: true, refusal: undefined });
      return true;
    } catch (error) {
      if (error instanceof PageApiRefusal && error.status < 500) store.set({ refusal: error.message });
      else store.set({ online: false });
      return false;
    }
  }

  const polling = watch(poll);

  function go(place: Partial<InboxState>, how: 'push' | 'replace'): void {
    store.set(place);
    const address = addressOf(store.state);
    if (address === location.href) return;
    if (how === 'push') history.pushState(place.open === undefined ? null : openedHere, '', address);
    else history.replaceState(history.state, '', address);
  }

  const renewList = (): void => {
    listRequest += 1;
    listTag = '';
    store.set({ items: undefined, cursor: null, arrived: new Set() });
    polling.now();
  };
  const renewDetail = (): void => {
    opened.renew();
    polling.now();
  };

  const controller: InboxController = {
    start() {
      const remoteAlways = loadSetting('remote') === 'always';
      store.set({ ...readAddress(location.href), remoteAlways, remote: remoteAlways });
      window.addEventListener('popstate', () => {
        if (closing) {
          closing = false;
          // A search that was made while the message was open stays in effect.
          history.replaceState(history.state, '', addressOf(store.state));
          return;
        }
        const { open, workspace, query } = store.state;
        const place = readAddress(location.href);
        store.set({ ...place, stepped: place.open === undefined ? open?.id : undefined });
        if (place.workspace !== workspace || place.query !== query) renewList();
        if (place.open?.id !== open?.id) renewDetail();
      });
      polling.now();
    },

    show({ id, workspace }) {
      if (store.state.open?.id === id) return;
      const how = store.state.open === undefined ? 'push' : 'replace';
      go({ open: { id, workspace }, stepped: undefined }, how);
      renewDetail();
    },

    close() {
      const { open } = store.state;
      if (open === undefined) return;
      leave();
      store.set({ stepped: open.id });
    },

    step(by) {
      const { items = [], open } = store.state;
      const at = items.findIndex(({ id }) => id === open?.id);
      const next = at === -1 ? items[0] : items[at + by];
      if (next === undefined) return;
      controller.show(next);
      store.set({ stepped: next.id });
    },

    search(query, thenOpen = false) {
      openFirst = thenOpen;
      const isNew = query !== store.state.query;
      if (isNew) {
        searched = true;
        go({ query }, 'replace');
        renewList();
      } else if (openFirst && store.state.items !== undefined) openFound();
    },

    choose(workspace) {
      go({ workspace, open: undefined }, 'push');
      renewList();
      renewDetail();
    },

    turnTo: (view) => go({ view }, 'replace'),
    set: (choice) => store.set(choice),

    loadRemote(which) {
      if (which !== 'once') storeSetting('remote', which);
      store.set({ remote: which !== 'never', remoteAlways: which === 'always' });
    },

    loadMore() {
      attempt(async () => {
        await readOlder(pageSize);
      });
    },

    remove(id) {
      const { items = [], open } = store.state;
      const at = items.findIndex((item) => item.id === id);
      const workspace = items[at]?.workspace ?? open?.workspace;
      attempt(async () => {
        await change('DELETE', urlOf(`messages/${encodeURIComponent(id)}`, { workspace }));
        const remaining = (store.state.items ?? []).filter((item) => item.id !== id);
        store.set({ items: remaining });
        if (store.state.open?.id === id) {
          const next = remaining[at] ?? remaining[at - 1];
          if (next === undefined) controller.close();
          else {
            controller.show(next);
            store.set({ stepped: next.id });
          }
        }
        notify('The message is deleted.');
        polling.now();
      });
    },

    clear() {
      attempt(async () => {
        const { workspace } = store.state;
        const answer = await change<{ deleted: number }>('DELETE', urlOf('messages', { workspace }));
        controller.close();
        renewList();
        notify(`${counted(answer?.deleted ?? 0, 'message')} deleted.`);
      });
    },

    markAllSeen() {
      attempt(async () => {
        await change('POST', urlOf('messages/seen', { workspace: store.state.workspace }));
        store.set({ items: store.state.items?.map((item) => ({ ...item, unread: false })), unread: 0 });
        polling.now();
      });
    },

    report(type, url) {
      attempt(async () => {
        const body = url === undefined ? { type } : { type, url };
        const answer = await change<ReportResponse>('POST', opened.url('/reports'), body);
        if (answer === undefined) return;
        const status = statusOf(answer.status).text.toLowerCase();
        notify(answer.recorded ? `Reported. The send is ${status}.` : 'The timeline already contains this event.');
        polling.now();
      });
    },

    notify,
    mayChange: (workspace) =>
      store.state.workspaces?.data
        .filter(({ id }) => workspace === '' || id === workspace)
        .every(({ may_change }) => may_change) ?? false,
  };
  return controller;
}
