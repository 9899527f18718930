// Blog posts in Markdown, published on the content host of a workspace.
import './events.ts';

export type { NewPost } from './create.ts';
export { blogPlugin } from './plugin.ts';
export type { PostSummary } from './schema.ts';
export type { BlogService, PostAtSlug } from './service.ts';
export type { BlogPluginOptions, BlogTexts } from './site/texts.ts';
export type { PostHead } from './tables.ts';
export type { PostOrder } from './writing/compose.ts';
export type { WrittenPost } from './writing/embedded.ts';
