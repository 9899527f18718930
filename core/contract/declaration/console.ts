// The pages that a plugin adds to the console (the app for the people who run the program), and the entries of the console's navigation
// that lead to other pages of the plugin. The kernel checks them; the plugin `console` shows them. docs/console-pages.md is the guide.
import type { Calls } from '../context/calls.ts';
import type { CorePorts } from '../context/context.ts';
import type { Workspace } from '../context/workspace.ts';
import type { HttpResponse } from '../http/http.ts';
import type { Api } from '../open.ts';
import type { WorkspaceSide } from '../ports/access.ts';
import type { Html } from '../values/html.ts';
import type { PublicRequest, PublicRouteContext } from './public-route.ts';
import type { ScopeDeclaration } from './scopes.ts';

/** Names and values of a query string. Undefined values are left out of an address. */
export type ConsoleQuery = Readonly<Record<string, string | undefined>>;

/** The context of a page of the console: one workspace, one side, and the calls of the person who views the page. */
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
   * Typed calls in this workspace and on this side, in the person's name and with their scopes. A call without the
   * required scope is refused with insufficient_scope. Calls of plugins that are not composed do not exist: check
   * `mayCall` first.
   */
  readonly calls: Calls<keyof Api & string>;
  /** Whether the operation is composed, the person has a scope for it, and it works on this side: `mayCall('notes.list')`. */
  mayCall(operationId: string): boolean;
  /** Every scope that the composed plugins declare, with its description. */
  readonly declaredScopes: readonly ScopeDeclaration[];
  /** The address of a page of the console in this workspace and on this side: `link('notes/note_1')`. */
  link(path: string, query?: ConsoleQuery): string;
  /**
   * The address of a page outside of the console. It includes this workspace and side if the entry has `takesLocation`.
   * `url` is the `url` of an entry of the navigation. Undefined if the person cannot see the entry:
   * `linkOutside('/notes-board', { note: 'n1' })`.
   */
  linkOutside(url: string, query?: ConsoleQuery): string | undefined;
  /** A new idempotency key, for a form of the page. */
  newIdempotencyKey(): string;
  /** The form that was just refused: `actionForm` shows it open, with the person's input. Undefined if no form was refused. */
  readonly refusedForm?: { readonly action: string; readonly fields: Readonly<Record<string, string>> } | undefined;
}

/** A match in the search of the console. */
export interface ConsoleMatch {
  /** The name that people know. It is escaped. */
  readonly title: string;
  /** A second text in a lighter colour: the key or the id. */
  readonly detail?: string | undefined;
  /** The path of its page below the workspace: `notes/note_1`. */
  readonly path: string;
  readonly query?: ConsoleQuery;
}

/** A page inside the shell of the console. */
export interface ConsoleView {
  /** The heading of the page, and the title of the window. It is escaped, because people may have written it. */
  readonly heading: string;
  /** The state of the page's subject, such as a pill. It is shown beside the heading. */
  readonly status?: Html | undefined;
  /** One line below the heading, in a lighter colour. */
  readonly meta?: Html | undefined;
  readonly body: Html;
  /** Reloads the page after this many seconds, for pages that show work in progress. (Default: never) */
  readonly refreshSeconds?: number;
}

/**
 * A whole HTML document for a frame in another page of the console. Its scripts and forms never run. The browser shows pictures
 * that are embedded as `data:`, and loads nothing from other hosts.
 */
export interface ConsoleDocument {
  readonly document: string;
  /** Whether it may load pictures of this service. Loading a picture may count as opening the mail. (Default: false) */
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

/** A file that other pages of the console show, such as a picture. */
export interface ConsoleFile {
  /**
   * Answers the request, for example with bytes from a store. Before you return a `ConsoleFile`, read the row to which the file
   * belongs with `calls` of the context: this checks the workspace, the side and the scopes of the person.
   */
  respond(route: PublicRouteContext, request: PublicRequest): Promise<HttpResponse>;
}

/** The form that a person sent to a page of the console. */
export interface ConsoleForm {
  /** The key in the form. Pass it to the call as `idempotencyKey`, so that a form that is sent twice does the work once. */
  readonly idempotencyKey: string;
  /** The other fields; for a repeated name, the last value counts. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The action of a form on a page. It can only call operations, with the scopes of the person. */
export type ConsoleAction =
  | {
      /** A sentence that the page shows afterwards: `The note was archived.` */
      readonly done: string;
      run(ctx: ConsoleContext, form: ConsoleForm): Promise<void>;
    }
  | {
      /** Does the work, and returns the path of the page that shows the result: `notes/note_1`. */
      leadTo(ctx: ConsoleContext, form: ConsoleForm): Promise<string>;
    }
  | {
      /** Does the work, and returns a view that is shown once instead of the page, for example with a new secret. */
      reveal(ctx: ConsoleContext, form: ConsoleForm): Promise<ConsoleView>;
    };

interface InNavigation {
  /** The heading of the navigation under which the entry stands: `Messages`. A new heading adds a group at the end. */
  readonly area: string;
  /** The name in the navigation and in the breadcrumb: `Notes`. */
  readonly title: string;
  /**
   * The person needs every one of these scopes. Without them they see neither the entry nor the page. A page inside of the console
   * must declare at least one scope.
   */
  readonly scopes: readonly string[];
}

/** The content and the actions of a page of the console. */
export interface ConsolePageContent {
  /** Makes the page. It must only read; writes belong in an action. If it throws an error of the API, a page shows the error. */
  render(ctx: ConsoleContext): Promise<ConsoleView | ConsoleDocument | ConsoleDownload | ConsoleFile>;
  /** The actions of the page's forms, by name. (Default: none) */
  readonly actions?: Readonly<Record<string, ConsoleAction>>;
  /**
   * The matches of the console's search for a text of 2 to 254 characters: an id, or the beginning of a name. The search shows the
   * first five. Use an index, or search few rows only. A thrown error of the API counts as no match. (Default: no matches)
   */
  readonly find?: (ctx: ConsoleContext, text: string) => Promise<readonly ConsoleMatch[]>;
  /** CSS for this page only. It must not contain addresses of other hosts. (Default: none) */
  readonly style?: string;
}

/** A page whose content is imported when it is first needed, so that a program that shows no page does not load its code. */
export interface LoadedConsolePage {
  /** Imports the content from another file. */
  load(): Promise<ConsolePageContent>;
}

interface ConsolePage extends InNavigation {
  /**
   * One to four segments: `notes`, `notes/{noteId}`. A path of one segment is an entry of the navigation. The path without its
   * last segment is the parent page in the breadcrumb.
   */
  readonly path: string;
}

/** A page of the console, below `/console/<workspace>/`. */
export type ConsolePageDeclaration = ConsolePage & (ConsolePageContent | LoadedConsolePage);

/** An entry of the navigation that leads to a page of the service outside of the console. */
export interface ConsoleLinkDeclaration extends InNavigation {
  /** The path of a public route: `/notes-board`. */
  readonly url: string;
  /** Whether the page accepts the workspace and the side as `workspace` and `side` in its query. (Default: false) */
  readonly takesLocation?: boolean;
  /**
   * The entry is left out for people who have every one of these scopes, because another page shows these people more.
   * (Default: everyone sees it)
   */
  readonly unless?: readonly string[];
  /** Returns true if the page does not exist in a service with these ports. (Default: it exists) */
  readonly hidden?: ((ports: CorePorts) => boolean) | undefined;
}

/** An entry of a manifest's `console`. */
export type ConsoleEntry = ConsolePageDeclaration | ConsoleLinkDeclaration;

/** The location of the console. The plugin that shows the entries provides it. */
export interface ConsoleLocation {
  /** Its path below the mount: `/console`. It accepts `workspace`, `side` and `page` (the path of a page) in its query. */
  readonly path: `/${string}`;
}

declare module '../open.ts' {
  interface ExtensionPoints {
    'core.console': ConsoleLocation;
  }
}
