// What all components are written with.
export { html } from 'htm/preact';

import type { VNode } from 'preact';

/** What a component answers. */
export type Markup = VNode | VNode[] | null;
