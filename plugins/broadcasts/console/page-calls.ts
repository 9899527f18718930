// The calls that the page makes for its visitor, and a view that it shows.
import type { PublicRouteContext } from '../../../core/index.ts';
import type { Html } from '../../../core/unstable.ts';

/** The typed calls of one workspace and side. */
export type PageCalls = ReturnType<PublicRouteContext['calls']>;

/** The content of a page, and its name in the window title. */
export interface BroadcastView {
  readonly about?: string;
  readonly body: Html;
}
