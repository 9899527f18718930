// The whole state of the page in one value, with listeners for changes.
import type { NoticeText } from '../../../core/pages/browser/notice.ts';
import type { InboxWorkspaceList, MessageDetail, MessageItem, SendDetail } from '../wire.ts';

/** The views of a message, in the order of their tabs and keys. */
export const views = ['message', 'activity', 'text', 'links', 'attachments', 'headers', 'source'] as const;

export type View = (typeof views)[number];

/** A message that is open, or is being loaded. */
export interface OpenMessage {
  readonly id: string;
  /** The workspace of the message; undefined if the page knows only the message's address. */
  readonly workspace: string | undefined;
}

export interface InboxState {
  readonly workspaces: InboxWorkspaceList | undefined;
  /** Empty for all workspaces together. */
  readonly workspace: string;
  readonly query: string;
  /** Undefined until the first answer. */
  readonly items: readonly MessageItem[] | undefined;
  readonly cursor: string | null;
  readonly total: number;
  /** The number of messages that the search finds. */
  readonly matching: number;
  readonly unread: number;
  /** Messages that arrived while the page was open. */
  readonly arrived: ReadonlySet<string>;
  readonly open: OpenMessage | undefined;
  /** The open message's details, once they are loaded. */
  readonly detail: MessageDetail | undefined;
  /** The send that the address names, if it has no message. */
  readonly sendWithoutMessage: SendDetail | undefined;
  /** Neither a message nor a send has the address's id. */
  readonly isMissing: boolean;
  readonly view: View;
  readonly width: 'desktop' | 'mobile';
  readonly scheme: 'light' | 'dark';
  /** Whether to load remote images: for the open message, and for all messages. */
  readonly remote: boolean;
  readonly remoteAlways: boolean;
  readonly online: boolean;
  /** The reason why nothing can be shown. */
  readonly refusal: string | undefined;
  readonly notice: NoticeText | undefined;
  /** The row that last had the keyboard focus. */
  readonly stepped: string | undefined;
  readonly busy: boolean;
}

export const emptyState: InboxState = {
  workspaces: undefined,
  workspace: '',
  query: '',
  items: undefined,
  cursor: null,
  total: 0,
  matching: 0,
  unread: 0,
  arrived: new Set(),
  open: undefined,
  detail: undefined,
  sendWithoutMessage: undefined,
  isMissing: false,
  view: 'message',
  width: 'desktop',
  scheme: 'light',
  remote: false,
  remoteAlways: false,
  online: true,
  refusal: undefined,
  notice: undefined,
  stepped: undefined,
  busy: false,
};

/** Holds the state. */
export class Store {
  #state: InboxState;
  readonly #listeners = new Set<(state: InboxState) => void>();

  constructor(state: InboxState) {
    this.#state = state;
  }

  get state(): InboxState {
    return this.#state;
  }

  set(change: Partial<InboxState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener(this.#state);
  }

  /** Returns the function that removes the listener. */
  listen(listener: (state: InboxState) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
