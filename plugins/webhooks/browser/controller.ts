// Every action of the user and of timers. The only place that changes the state.
import { change, PageApiRefusal, read, readText, urlOf } from '../../../core/pages/browser/api.ts';
import { watch } from '../../../core/pages/browser/watch.ts';
import type {
  ConsoleDelivery,
  ConsoleWebhook,
  DeliveryList,
  WebhookList,
  WebhooksWorkspaceList,
} from '../console/wire.ts';
import { stateOf } from './format.ts';
import { addressOf, chosenOf, emptyState, readAddress, type WebhookSelection, type WebhooksState } from './state.ts';

/** The actions of the page. */
export interface WebhooksController {
  start(): void;
  /** Changes the selection and loads the data that depends on it. */
  go(selection: Partial<WebhookSelection>, focus?: 'details'): void;
  /** Filters by the event's name. The present content stays until the response arrives. */
  search(event: string): void;
  /** Moves the focus to the details of a webhook, if the user has chosen it: on a phone they are below the list. */
  reveal(heading: HTMLElement | null): void;
  unfold(delivery: string): void;
  loadMore(): void;
  replay(delivery: string): void;
  enable(webhook: string): void;
}

/** A value that changes with each attempt. Only the last attempts are kept, so their number is not enough. */
const triesOf = ({ attempts }: Pick<ConsoleDelivery, 'attempts'>): string =>
  `${attempts.length} ${attempts.at(-1)?.at ?? ''}`;

/** The controller. `show` is called with every new state. It sends no request before `start`. */
export function createController(show: (state: WebhooksState) => void): WebhooksController {
  let state = emptyState;
  /** Incremented when another list is requested: late answers to earlier requests are dropped. */
  let request = 0;
  let wantsDetails = false;
  /** The deliveries that were posted again here, and the attempts of each before that. The page announces their outcome. */
  const replayed = new Map<string, string>();
  /** Words that are typed one after the other count as one step for the browser's Back. */
  let isTyping = false;
  /** The ETags of the shown lists: for an unchanged list, the service sends no body. */
  const tags = { webhooks: '', deliveries: '' };

  const set = (changed: Partial<WebhooksState>): void => {
    state = { ...state, ...changed };
    show(state);
  };
  const notify = (text: string, tone: 'good' | 'bad' = 'good') => ({ notice: { text, tone, at: Date.now() } });
  const complain = (error: unknown): void =>
    set(notify(error instanceof PageApiRefusal ? error.message : 'The service cannot be reached.', 'bad'));
  const attempt = (work: () => Promise<void>): void => {
    work().catch(complain);
  };
  const here = () => ({ workspace: state.workspace });
  const deliveriesUrl = (cursor?: string): string =>
    urlOf(`webhooks/${encodeURIComponent(state.webhook)}/deliveries`, {
      ...here(),
      status: state.status,
      event: state.event,
      cursor,
    });

  async function readWorkspaces(): Promise<void> {
    if (state.workspaces !== undefined) return;
    const answer = await read<WebhooksWorkspaceList>(urlOf('workspaces'));
    if (answer === undefined) return;
    set({ workspaces: answer.value, workspace: state.workspace || (answer.value.data[0]?.id ?? '') });
  }

  async function readWebhooks(): Promise<void> {
    const requested = request;
    const answer = await read<WebhookList>(urlOf('webhooks', here()), tags.webhooks);
    if (answer === undefined || requested !== request) return;
    tags.webhooks = answer.tag;
    const { data } = answer.value;
    set({ webhooks: data, webhook: state.webhook === '' ? (data[0]?.id ?? '') : state.webhook });
  }

  function sayOutcomes(deliveries: readonly ConsoleDelivery[]): void {
    for (const delivery of deliveries) {
      const before = replayed.get(delivery.id);
      if (before === undefined || before === triesOf(delivery)) continue;
      replayed.delete(delivery.id);
      const { text, tone } = stateOf(delivery);
      set(notify(`Posted again: ${delivery.event_type}. ${text}.`, tone === 'good' ? 'good' : 'bad'));
    }
  }

  /** Reloads the newest page and keeps the older deliveries that were loaded. */
  async function readDeliveries(): Promise<void> {
    if (chosenOf(state) === undefined) return;
    const requested = request;
    const answer = await read<DeliveryList>(deliveriesUrl(), tags.deliveries);
    if (answer === undefined || requested !== request) return;
    tags.deliveries = answer.tag;
    const { data, next_cursor } = answer.value;
    const fresh = new Set(data.map(({ id }) => id));
    const last = data.at(-1);
    const before = state.isOutdated ? [] : (state.deliveries ?? []);
    const at = last === undefined ? -1 : before.findIndex(({ id }) => id === last.id);
    const older = at === -1 ? [] : before.slice(at + 1).filter(({ id }) => !fresh.has(id));
    sayOutcomes(data);
    set({ isOutdated: false, deliveries: [...data, ...older], cursor: older.length > 0 ? state.cursor : next_cursor });
  }

  async function readBody(): Promise<void> {
    const { delivery } = state;
    if (delivery === '' || state.body?.of === delivery) return;
    const text = await readText(urlOf(`deliveries/${encodeURIComponent(delivery)}/body`, here())).catch(
      (error: unknown) => {
        if (error instanceof PageApiRefusal && error.status === 404) return 'The event is not kept any more.';
        throw error;
      },
    );
    if (state.delivery === delivery) set({ body: { of: delivery, text } });
  }

  const { now } = watch(async () => {
    try {
      await readWorkspaces();
      if (state.workspace !== '') {
        await readWebhooks();
        await Promise.all([readDeliveries(), readBody()]);
      }
      if (!state.online || state.refusal !== undefined) set({ online: true, refusal: undefined });
      return true;
    } catch (error) {
      if (error instanceof PageApiRefusal && error.status < 500) set({ refusal: error.message });
      else set({ online: false });
      return false;
    }
  });

  const forgetTags = (): void => {
    tags.webhooks = '';
    tags.deliveries = '';
  };
  const renew = (selection: Partial<WebhookSelection>, isSearch = false): void => {
    request += 1;
    forgetTags();
    isTyping = isSearch;
    const elsewhere = selection.workspace !== undefined && selection.workspace !== state.workspace;
    set({
      ...selection,
      ...(elsewhere ? { webhooks: undefined } : {}),
      ...(isSearch ? {} : { deliveries: undefined, body: undefined }),
      isOutdated: isSearch,
      cursor: null,
    });
    now();
  };

  const showDelivery = (delivery: string): void => {
    set({ delivery, body: undefined });
    attempt(readBody);
  };
  /** Makes a step for the browser's Back, which returns to the present view, even if the page has chosen it. */
  const leave = (work: () => void): void => {
    history.replaceState(null, '', addressOf(state));
    work();
    history.pushState(null, '', addressOf(state));
  };

  return {
    start() {
      set(readAddress(location.href));
      window.addEventListener('popstate', () => {
        const place = readAddress(location.href);
        if (addressOf({ ...place, delivery: '' }) !== addressOf({ ...state, delivery: '' })) renew(place);
        else showDelivery(place.delivery);
      });
      now();
    },

    reveal(heading) {
      if (!wantsDetails || heading === null) return;
      wantsDetails = false;
      heading.focus({ preventScroll: true });
      heading.scrollIntoView({ block: 'start' });
    },

    go(place, focus) {
      wantsDetails = focus === 'details' && place.webhook !== state.webhook;
      const elsewhere = place.workspace === undefined ? {} : { webhook: '', event: '', status: '' as const };
      leave(() => renew({ delivery: '', ...elsewhere, ...place }));
    },

    search(event) {
      const work = () => renew({ delivery: '', event }, true);
      if (!isTyping) leave(work);
      else {
        work();
        history.replaceState(null, '', addressOf(state));
      }
    },

    unfold(delivery) {
      isTyping = false;
      leave(() => showDelivery(state.delivery === delivery ? '' : delivery));
    },

    loadMore() {
      const { cursor } = state;
      const requested = request;
      if (cursor === null) return;
      attempt(async () => {
        const answer = await read<DeliveryList>(deliveriesUrl(cursor));
        if (answer === undefined || requested !== request || state.cursor !== cursor) return;
        const known = new Set(state.deliveries?.map(({ id }) => id));
        const older = answer.value.data.filter(({ id }) => !known.has(id));
        set({ deliveries: [...(state.deliveries ?? []), ...older], cursor: answer.value.next_cursor });
      });
    },

    replay(delivery) {
      attempt(async () => {
        const queued = await change<Omit<ConsoleDelivery, 'created_at'>>(
          'POST',
          urlOf(`deliveries/${encodeURIComponent(delivery)}/replay`, here()),
        );
        if (queued !== undefined) replayed.set(delivery, triesOf(queued));
        set({
          deliveries: state.deliveries?.map((one) => (one.id === delivery ? { ...one, ...queued } : one)),
          ...notify('Queued to be posted again.'),
        });
        forgetTags();
        now();
      });
    },

    enable(webhook) {
      attempt(async () => {
        const row = await change<Omit<ConsoleWebhook, 'failing_since'>>(
          'POST',
          urlOf(`webhooks/${encodeURIComponent(webhook)}/enable`, here()),
        );
        set({
          webhooks: state.webhooks?.map((one) => (one.id === webhook ? { ...one, ...row, failing_since: null } : one)),
          ...notify('Enabled. New events are posted there.'),
        });
        forgetTags();
        now();
      });
    },
  };
}
