// The words around the blog's posts, in the language of the workspace. A program changes them with `blogPlugin({ texts })`.
import type { PublicRouteContext, Workspace } from '../../../core/index.ts';
import { chooseTexts, pageTexts } from '../../../core/unstable.ts';
import type { MarketingService } from '../../marketing/index.ts';
import { builtInTexts } from './built-in-texts.ts';

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
  /** The heading of a tag's page; contains `{tag}`. */
  readonly tagged: string;
  /** Names the links to the post before and the post after. */
  readonly around: string;
  readonly previous: string;
  readonly next: string;
  readonly related: string;
  /** The heading of the subscribe form. */
  readonly subscribe: string;
  readonly feed: string;
  readonly empty: string;
  readonly missing: string;
  readonly missingText: string;
  readonly preview: string;
}

export interface BlogPluginOptions {
  /**
   * The language of the blog, a BCP 47 tag, in workspaces whose creation defaults name none. Posts without a language of their own
   * are in it. (Default: en)
   */
  readonly language?: string;
  /** Words that replace the built-in ones, in every language. */
  readonly texts?: Partial<BlogTexts>;
  /**
   * Returns the id of the list to which readers of a workspace's blog can subscribe. The list must be public. (Default: the blog has no
   * subscribe form)
   */
  readonly subscribeList?: (workspaceId: string) => string | undefined | Promise<string | undefined>;
}

/** A language and the words of the blog in it. */
export interface BlogLanguage {
  readonly language: string;
  readonly texts: BlogTexts;
  /** The language of these words: the language of the blog or, if the words do not exist in it, English. */
  readonly textsLanguage: string;
  /** The language and words for a post. `language`: the language of the post; null if it is the language of the blog. */
  forPost(language: string | null | undefined): BlogLanguage;
}

/** Chooses the language of a workspace's blog. */
export type ChooseBlogLanguage = (ctx: PublicRouteContext, workspace: Workspace | undefined) => Promise<BlogLanguage>;

const builtIn = pageTexts(builtInTexts);

function blogLanguage(blog: string, given: Partial<BlogTexts>, language = blog): BlogLanguage {
  const chosen = chooseTexts(builtIn, language);
  return {
    language,
    texts: { ...chosen.texts, ...given },
    textsLanguage: Object.keys(given).length === 0 ? chosen.language : language,
    forPost: (own) => blogLanguage(blog, given, own ?? blog),
  };
}

export const blogLanguages =
  ({ language = 'en', texts = {} }: BlogPluginOptions): ChooseBlogLanguage =>
  async ({ services, read }, workspace) => {
    const marketing: MarketingService | undefined = services.marketing;
    const defaults = workspace && (await read(workspace.id, async ({ trx }) => marketing?.defaults(trx)));
    return blogLanguage(defaults?.language ?? language, texts);
  };

/** Replaces the `{…}` of a text by values. Unknown names stay as they are. */
export const fillText = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
