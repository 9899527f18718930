// The words around the blog's posts. A program changes them with `blogPlugin({ texts })`.

/** The words; `{…}` is replaced by a value. */
export interface BlogTexts {
  readonly blog: string;
  readonly skip: string;
  readonly by: string;
  readonly readingTime: string;
  readonly revised: string;
  readonly newer: string;
  readonly older: string;
  readonly page: string;
  readonly pages: string;
  readonly all: string;
  readonly tags: string;
  readonly feed: string;
  readonly empty: string;
  readonly missing: string;
  readonly missingText: string;
  readonly preview: string;
}

export interface BlogPluginOptions {
  /** The language of the posts and of these words, a BCP 47 tag. (Default: en) */
  readonly language?: string;
  /** Words that replace the English ones. */
  readonly texts?: Partial<BlogTexts>;
}

export const englishTexts: BlogTexts = {
  blog: 'Blog',
  skip: 'Skip to the text',
  by: 'By {name}',
  readingTime: '{minutes} min read',
  revised: 'Updated on {date}',
  newer: 'Newer posts',
  older: 'Older posts',
  page: 'Page {page} of {pages}',
  pages: 'Pages of the blog',
  all: 'All posts',
  tags: 'Tags',
  feed: 'RSS feed',
  empty: 'There are no posts yet.',
  missing: 'There is nothing here',
  missingText: 'This post does not exist, or it was taken offline.',
  preview: 'This is a preview of a draft. Only people with this link see it.',
};

/** The language of the blog and its words. */
export interface BlogLanguage {
  readonly language: string;
  readonly texts: BlogTexts;
}

/** Replaces the `{…}` of a text by values. Unknown names stay as they are. */
export const fillText = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
