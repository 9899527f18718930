// Reads the open message, or the open send if it has no message. Called by the controller.
import { change, PageApiRefusal, read, urlOf } from '../../../core/pages/browser/api.ts';
import type { MessageDetail, MessageItem, SendDetail } from '../wire.ts';
import type { Store } from './state.ts';

/** Reads the open message. The controller calls `read` at each poll. */
export interface OpenMessageReader {
  read(): Promise<void>;
  /** Clears the loaded data, because another message is open. */
  renew(): void;
  /** A URL below the open message. */
  url(rest?: string): string;
}

const isMissing = (error: unknown): boolean => error instanceof PageApiRefusal && error.status === 404;

/** Creates a reader. It sends no request before `read` is called. */
export function createOpenMessageReader(store: Store): OpenMessageReader {
  /** Incremented when another message is open: late answers about the previous one are dropped. */
  let request = 0;
  let tag = '';

  const urlBelow = (kind: 'messages' | 'sends', rest = ''): string => {
    const { open } = store.state;
    return urlOf(`${kind}/${encodeURIComponent(open?.id ?? '')}${rest}`, { workspace: open?.workspace });
  };

  /** Removes the unread mark at once, and marks the message as seen in the service. */
  async function see({ id, workspace }: Pick<MessageItem, 'id' | 'workspace'>): Promise<void> {
    const { items, unread } = store.state;
    store.set({
      items: items?.map((item) => (item.id === id ? { ...item, unread: false } : item)),
      unread: Math.max(0, unread - 1),
    });
    await change('POST', urlOf(`messages/${encodeURIComponent(id)}/seen`, { workspace }));
  }

  /** Reads the message. Returns whether the inbox has it. */
  async function readMessage(): Promise<boolean> {
    const requested = request;
    try {
      const answer = await read<MessageDetail>(urlBelow('messages'), tag);
      if (requested !== request || answer === undefined) return true;
      tag = answer.tag;
      const { id, workspace, unread } = answer.value;
      store.set({ detail: answer.value, sendWithoutMessage: undefined, open: { id, workspace } });
      if (unread) await see(answer.value);
    } catch (error) {
      if (!isMissing(error)) throw error;
      if (requested !== request) return true;
      tag = '';
      return false;
    }
    return true;
  }

  /** Shows a send without a message: no mail was made, or the mail is not stored yet. Returns whether the send exists. */
  async function readSend(): Promise<boolean> {
    const requested = request;
    try {
      const answer = await read<SendDetail>(urlBelow('sends'), tag);
      if (requested !== request || answer === undefined) return true;
      tag = answer.tag;
      const { id, workspace, has_message: hasMessage } = answer.value;
      if (hasMessage) {
        tag = '';
        return await readMessage();
      }
      store.set({ detail: undefined, sendWithoutMessage: answer.value, open: { id, workspace } });
      if (answer.value.unread) await see(answer.value);
    } catch (error) {
      if (!isMissing(error)) throw error;
      return requested !== request;
    }
    return true;
  }

  return {
    async read() {
      const { open, isMissing, detail, items } = store.state;
      if (open === undefined || isMissing) return;
      // An address does not show whether the send has a message. Reading the send first avoids an error response.
      const holdsMail = detail !== undefined || items?.some(({ id, has_message: has }) => id === open.id && has);
      const [first, second] = holdsMail ? [readMessage, readSend] : [readSend, readMessage];
      const requested = request;
      if (!(await first()) && !(await second()) && requested === request) store.set({ isMissing: true });
    },
    renew() {
      request += 1;
      tag = '';
      store.set({
        detail: undefined,
        sendWithoutMessage: undefined,
        isMissing: false,
        remote: store.state.remoteAlways,
      });
    },
    url: (rest) => urlBelow('messages', rest),
  };
}
