// Blog posts in Markdown, published on the content host of a workspace.
import './events.ts';

export type { NewBlogPost } from './create-post.ts';
export { blogPlugin } from './plugin.ts';
export type { PostSummary } from './schema.ts';
export type { BlogService, PostAtSlug } from './service.ts';
export type { BlogPluginOptions, BlogTexts } from './site/texts.ts';
export type { BlogPostHead } from './tables.ts';
export type { BlogPostBrief } from './writing/compose.ts';
export type { WrittenPost } from './writing/embedded.ts';
