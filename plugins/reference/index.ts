// The API reference as a page.
export type { ReferenceOptions } from './options.ts';
export { referencePlugin } from './plugin.ts';
