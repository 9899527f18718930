// All that the page knows, in one value, and who is told when it changes.
import type { MessageDetail, MessageItem, WorkspaceList } from '../wire.ts';

/** The views of a message, in the order of their keys. */
export const views = ['message', 'text', 'links', 'attachments', 'headers', 'source', 'activity'] as const;

export type View = (typeof views)[number];

/** A message that is open, or is being opened. */
export interface OpenMessage {
  readonly id: string;
  /** Where it is; undefined where only its address is known. */
  readonly workspace: string | undefined;
}

/** A word to the reader, for a moment. */
export interface Notice {
  readonly text: string;
  readonly tone: 'good' | 'bad';
  /** Tells two notices with one text apart. */
  readonly at: number;
}

export interface State {
  readonly workspaces: WorkspaceList | undefined;
  /** Empty for all together. */
  readonly workspace: string;
  readonly query: string;
  /** Undefined until the first answer. */
  readonly items: readonly MessageItem[] | undefined;
  readonly cursor: string | null;
  readonly total: number;
  readonly unread: number;
  /** Messages that came while the page was looking. */
  readonly arrived: ReadonlySet<string>;
  readonly open: OpenMessage | undefined;
  /** Of the open message, once it is here. */
  readonly detail: MessageDetail | undefined;
  /** The open message is not there, or no longer. */
  readonly gone: boolean;
  readonly view: View;
  readonly width: 'desktop' | 'mobile';
  readonly scheme: 'light' | 'dark';
  /** Load pictures from elsewhere: for the open message, and for all of them. */
  readonly remote: boolean;
  readonly remoteAlways: boolean;
  readonly online: boolean;
  /** Why nothing is shown at all. */
  readonly refusal: string | undefined;
  readonly notice: Notice | undefined;
  /** The row that the keyboard went to last. */
  readonly stepped: string | undefined;
  readonly busy: boolean;
}

export const emptyState: State = {
  workspaces: undefined,
  workspace: '',
  query: '',
  items: undefined,
  cursor: null,
  total: 0,
  unread: 0,
  arrived: new Set(),
  open: undefined,
  detail: undefined,
  gone: false,
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
  #state: State;
  readonly #listeners = new Set<(state: State) => void>();

  constructor(state: State) {
    this.#state = state;
  }

  get state(): State {
    return this.#state;
  }

  set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener(this.#state);
  }

  /** Answers how to stop. */
  listen(listener: (state: State) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
