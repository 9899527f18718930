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

  /** Answers whether the inbox has the message. */
  async function readMessage(): Promise<boolean> {
    const asked = request;
    try {
      const answer = await read<MessageDetail>(urlBelow('messages'), tag);
      if (asked !== request || answer === undefined) return true;
      tag = answer.tag;
      const { id, workspace, unread } = answer.value;
      store.set({ detail: answer.value, bare: undefined, open: { id, workspace } });
      if (unread) await see(answer.value);
    } catch (error) {
      if (!isMissing(error)) throw error;
      if (asked !== request) return true;
      tag = '';
      return false;
    }
    return true;
  }

  /** Shows a send without a message: none was made, or it is not there yet. Answers whether there is such a send. */
  async function readSend(): Promise<boolean> {
    const asked = request;
    try {
      const answer = await read<SendDetail>(urlBelow('sends'), tag);
      if (asked !== request || answer === undefined) return true;
      tag = answer.tag;
      const { id, workspace, has_message: hasMessage } = answer.value;
      if (hasMessage) {
        tag = '';
        return await readMessage();
      }
      store.set({ detail: undefined, bare: answer.value, open: { id, workspace } });
      if (answer.value.unread) await see(answer.value);
    } catch (error) {
      if (!isMissing(error)) throw error;
      return asked !== request;
    }
    return true;
  }

  return {
    async read() {
      const { open, gone, detail, items } = store.state;
      if (open === undefined || gone) return;
      // Of an address alone it is not known whether it has a message: the send says so, without a refusal.
      const holdsMail = detail !== undefined || items?.some(({ id, has_message: has }) => id === open.id && has);
      const [first, second] = holdsMail ? [readMessage, readSend] : [readSend, readMessage];
      const asked = request;
      if (!(await first()) && !(await second()) && asked === request) store.set({ gone: true });
    },
    renew() {
      request += 1;
      tag = '';
      store.set({ detail: undefined, bare: undefined, gone: false, remote: store.state.remoteAlways });
    },
    url: (rest) => urlBelow('messages', rest),
  };
}
