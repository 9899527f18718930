// Landing pages: built in the background from a brief, edited, published as versions, shown to visitors.
export { pagesPlugin } from './plugin.ts';
