// The template function and types of all components.
export { html } from 'htm/preact';

import type { VNode } from 'preact';

/** The result of a component. */
export type Markup = VNode | VNode[] | null;
