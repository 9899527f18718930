// What a plugin adds to the console, the app for the people who run the program: pages inside of it, and the way to
// pages of the plugin elsewhere. Shown by the plugin `console`; checked by the kernel. docs/console-pages.md is the guide.
import type { Calls } from '../context/calls.ts';
import type { CorePorts } from '../context/context.ts';
import type { Workspace } from '../context/workspace.ts';
import type { Api } from '../open.ts';
import type { WorkspaceSide } from '../ports/access.ts';
import type { Html } from '../values/html.ts';

/** Names and values of a query string. Undefined values are left out of an address. */
export type ConsoleQuery = Readonly<Record<string, string | undefined>>;

/** What a page of the console gets: one workspace, one side, and the calls of the person who looks at it. */
export interface ConsoleContext {
  readonly workspace: Workspace;
  readonly side: WorkspaceSide;
  /** The time of the request in milliseconds since the epoch. */
  readonly now: number;
  /** Decoded parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The query without the side; for a repeated name, the last value counts. Empty values are left out. */
  readonly query: Readonly<Record<string, string>>;
  /**
   * Typed calls on this workspace and side, with the person's scopes and in their name: a call that they may not make is refused
   * with insufficient_scope. Calls of plugins that are not composed do not exist: ask `mayCall` first.
   */
  readonly calls: Calls<keyof Api & string>;
  /** Whether the operation is composed and the person has a scope for it: `mayCall('notes.list')`. */
  mayCall(operationId: string): boolean;
  /** The address of a page of the console in this workspace and on this side: `link('notes/note_1')`. */
  link(path: string, query?: ConsoleQuery): string;
  /**
   * The address of a page outside of the console, in this workspace and on this side if the page takes them. `url` is that of an
   * entry of the navigation. Undefined if the person does not see that entry: `linkOutside('/notes-board', { note: 'note_1' })`.
   */
  linkOutside(url: string, query?: ConsoleQuery): string | undefined;
  /** A new idempotency key, for a form of the page. */
  newIdempotencyKey(): string;
  /** The form that was just refused: `actionForm` shows it open, with what the person wrote. Undefined in all other cases. */
  readonly refusedForm?: { readonly action: string; readonly fields: Readonly<Record<string, string>> } | undefined;
}

/** Something that the search of the console has found. */
export interface ConsoleMatch {
  /** What people call it. It is escaped. */
  readonly title: string;
  /** A quiet second text: its key or its id. */
  readonly detail?: string | undefined;
  /** The path of its page below the workspace: `notes/note_1`. */
  readonly path: string;
  readonly query?: ConsoleQuery;
}

/** A page inside the shell of the console. */
export interface ConsoleView {
  /** The heading of the page, and the title of the window. People may have written it: it is escaped. */
  readonly heading: string;
  /** The state of the thing that the page is about, such as a pill. It stands beside the heading. */
  readonly status?: Html | undefined;
  /** One quiet line below the heading. */
  readonly meta?: Html | undefined;
  readonly body: Html;
  /** After how many seconds the browser asks for the page again, while work goes on that it shows. (Default: never) */
  readonly refreshSeconds?: number;
}

/**
 * A whole HTML document, to be shown in a frame of another page of the console. Its scripts and forms never run. Pictures that it
 * embeds as `data:` are shown; nothing is loaded from other hosts.
 */
export interface ConsoleDocument {
  readonly document: string;
  /** Whether it may load pictures of this service. Loading one may count as an opened mail. (Default: false) */
  readonly hasOwnPictures?: boolean;
}

/** A file that the browser saves instead of showing it. */
export interface ConsoleDownload {
  readonly download: {
    /** The name that the browser proposes, with its ending. */
    readonly fileName: string;
    /** The media type: `application/json`. */
    readonly type: string;
    readonly content: string | Uint8Array;
  };
}

/** The form that a person sent to a page of the console. */
export interface ConsoleForm {
  /** The key that the form carries: give it to the call as `idempotencyKey`, so that sending the form twice does the work once. */
  readonly idempotencyKey: string;
  /** The other fields; for a repeated name, the last value counts. */
  readonly fields: Readonly<Record<string, string>>;
}

/** What a form of a page does. It can only call operations, with the scopes of the person. */
export type ConsoleAction =
  | {
      /** A sentence that the page shows afterwards: `The note was archived.` */
      readonly done: string;
      run(ctx: ConsoleContext, form: ConsoleForm): Promise<void>;
    }
  | {
      /** Does the work, and returns the path of the page that shows what came of it: `notes/note_1`. */
      leadTo(ctx: ConsoleContext, form: ConsoleForm): Promise<string>;
    }
  | {
      /** Does the work, and returns a view with what can be read only once, such as a new secret. It is shown instead of the page. */
      reveal(ctx: ConsoleContext, form: ConsoleForm): Promise<ConsoleView>;
    };

interface InNavigation {
  /** The heading of the navigation under which the entry stands: `Messages`. A new one adds a group at the end. */
  readonly area: string;
  /** The name in the navigation and in the breadcrumb: `Notes`. */
  readonly title: string;
  /**
   * The person needs every one of these scopes. Others see neither the entry nor the page. A page inside of the console names at
   * least one.
   */
  readonly scopes: readonly string[];
}

/** A page of the console, below `/console/<workspace>/`. */
export interface ConsolePageDeclaration extends InNavigation {
  /**
   * One to four segments: `notes`, `notes/{noteId}`. A path of one segment is an entry of the navigation. The segments before
   * the last are the page above it in the breadcrumb.
   */
  readonly path: string;
  /** Makes the page. A thrown error of the API is shown as a page. Only reads: writes belong into an action. */
  render(ctx: ConsoleContext): Promise<ConsoleView | ConsoleDocument | ConsoleDownload>;
  /** What the forms of the page may do, by name. (Default: nothing) */
  readonly actions?: Readonly<Record<string, ConsoleAction>>;
  /**
   * What the search of the console finds here for a text of 2 to 254 characters: an id, or the beginning of a name. It shows the first
   * five. Look only where an index helps, or among few rows; a thrown error of the API counts as nothing found. (Default: nothing)
   */
  readonly find?: (ctx: ConsoleContext, text: string) => Promise<readonly ConsoleMatch[]>;
  /** CSS for this page alone, without addresses of other hosts. (Default: none) */
  readonly style?: string;
}

/** An entry of the navigation that leads to a page of the service outside of the console. */
export interface ConsoleLinkDeclaration extends InNavigation {
  /** The path of a public route: `/notes-board`. */
  readonly url: string;
  /** Whether the page takes the workspace and the side as `workspace` and `side` in its query. (Default: false) */
  readonly takesLocation?: boolean;
  /** Returns true if the page does not exist in a service with these ports. (Default: it exists) */
  readonly hidden?: ((ports: CorePorts) => boolean) | undefined;
}

/** An entry of a manifest's `console`. */
export type ConsoleEntry = ConsolePageDeclaration | ConsoleLinkDeclaration;

/** Where the console is, from the plugin that shows the entries. */
export interface ConsoleLocation {
  /** Its path below the mount: `/console`. Its query takes `workspace`, `side`, and the path of a page as `page`. */
  readonly path: `/${string}`;
}

declare module '../open.ts' {
  interface ExtensionPoints {
    'core.console': ConsoleLocation;
  }
}
