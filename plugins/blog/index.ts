// Blog posts in Markdown, published on the content host of a workspace.
export { blogPlugin } from './plugin.ts';
