// Reads what is open: a message, or a send that has no message. Called by the controller.
import { change, Refusal, read, urlOf } from '../../../core/pages/browser/api.ts';
import type { MessageDetail, MessageItem, SendDetail } from '../wire.ts';
import type { Store } from './state.ts';

/** The open message, as it is read again and again. */
export interface Opened {
  read(): Promise<void>;
  /** Forgets what was read: another message is open. */
  renew(): void;
  /** A URL below the open message. */
  url(rest?: string): string;
}

const isMissing = (error: unknown): boolean => error instanceof Refusal && error.status === 404;

/** Sends no request before `read`. */
export function createOpened(store: Store): Opened {
  /** Incremented when another message is open: late answers about the previous one are dropped. */
  let request = 0;
  let tag = '';

  const urlBelow = (kind: 'messages' | 'sends', rest = ''): string => {
    const { open } = store.state;
    return urlOf(`${kind}/${encodeURIComponent(open?.id ?? '')}${rest}`, { workspace: open?.workspace });
  };

  /** The mark is removed at once; the service is informed, and its next answer agrees. */
  async function see({ id, workspace }: Pick<MessageItem, 'id' | 'workspace'>): Promise<void> {
    const { items, unread } = store.state;
    store.set({
      items: items?.map((item) => (item.id === id ? { ...item, unread: false } : item)),
      unread: Math.max(0, unread - 1),
    });
    await change('POST', urlOf(`messages/${encodeURIComponent(id)}/seen`, { workspace }));
  }

  async function readMessage(): Promise<void> {
    const asked = request;
    try {
      const answer = await read<MessageDetail>(urlBelow('messages'), tag);
      if (asked !== request || answer === undefined) return;
      tag = answer.tag;
      const { id, workspace, unread } = answer.value;
      store.set({ detail: answer.value, bare: undefined, open: { id, workspace } });
      if (unread) await see(answer.value);
    } catch (error) {
      if (!isMissing(error)) throw error;
      if (asked !== request) return;
      tag = '';
      await readSend();
    }
  }

  /** A send that has no message: it was suppressed, failed before one was made, or its message is not there yet. */
  async function readSend(): Promise<void> {
    const asked = request;
    try {
      const answer = await read<SendDetail>(urlBelow('sends'), tag);
      if (asked !== request || answer === undefined) return;
      tag = answer.tag;
      const { id, workspace, has_message: hasMessage } = answer.value;
      if (hasMessage) {
        tag = '';
        await readMessage();
        return;
      }
      store.set({ detail: undefined, bare: answer.value, open: { id, workspace } });
      if (answer.value.unread) await see(answer.value);
    } catch (error) {
      if (!isMissing(error)) throw error;
      if (asked === request) store.set({ gone: true });
    }
  }

  return {
    async read() {
      const { open, gone, detail, items } = store.state;
      if (open === undefined || gone) return;
      // Of an address alone it is not known whether it has a message: the send says so, without a refusal.
      const holdsMail = detail !== undefined || items?.some(({ id, has_message: has }) => id === open.id && has);
      await (holdsMail ? readMessage() : readSend());
    },
    renew() {
      request += 1;
      tag = '';
      store.set({ detail: undefined, bare: undefined, gone: false, remote: store.state.remoteAlways });
    },
    url: (rest) => urlBelow('messages', rest),
  };
}
