// The markup function and the types that all components use.
export { html } from 'htm/preact';

import type { VNode } from 'preact';

/** The result of a component. */
export type Markup = VNode | VNode[] | null;
