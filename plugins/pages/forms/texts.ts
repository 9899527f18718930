// The words around the fields of a form, which the form's author does not write: ten languages, and further ones passed
// to `pagesPlugin`. The confirmation mail and its page have texts in `listsPlugin`.
import { type PageTexts, pageTexts } from '../../../core/unstable.ts';
import { builtInTexts } from './built-in-texts.ts';

/** The texts of pages in one language. */
export interface PageFormTexts {
  /** (Default: the direction of the language) */
  readonly direction?: 'ltr' | 'rtl';
  /** Follows the label of a field that may stay empty. */
  readonly optional: string;
  /** The label of the button if neither the section nor the page sets one. */
  readonly send: string;
  /** Precedes the title of the page if a field has a fault. */
  readonly error: string;
  /** Contains `{label}`. */
  readonly missing: string;
  /** Shown if a box is not ticked; contains `{label}`. */
  readonly unticked: string;
  /** Shown if no option of a select was chosen; contains `{label}`. */
  readonly choose: string;
  readonly noAddress: string;
  /** Contains `{count}`, the maximum number of characters. */
  readonly tooLong: string;
  readonly characters: string;
  /** Shown if the form was open for a day, or was sent within two seconds. */
  readonly again: string;
  /** Shown if the form was sent too often. (Default: the text `again`) */
  readonly tooMany?: string;
  /** Shown after sending if the form has no thanks of its own. */
  readonly sent: string;
  /** Shown after sending a form that asks to confirm. The same for every address. */
  readonly confirm: string;
  /** Shown above a form in a preview. */
  readonly preview: string;
  /** The link that skips the brand's name, for keyboard users. */
  readonly skip: string;
  /** Shown above the whole page in a preview. */
  readonly previewPage: string;
  /** Shown if there is no page. */
  readonly missingTitle: string;
  readonly missingText: string;
  /** The label of a price's button if the page sets none. (Default: the name of the offer) */
  readonly choosePlan?: string;
}

/** Texts by language tag. */
export type PageFormTextsByLanguage = PageTexts<PageFormTexts>;

export const pageFormTexts = (input?: Readonly<Record<string, PageFormTexts>>): PageFormTextsByLanguage =>
  pageTexts(builtInTexts, input);

/** Options of `pagesPlugin`. */
export interface PagesPluginOptions {
  /**
   * The words around forms in further languages, by BCP 47 tag, or other words in place of a built-in language. The
   * language of the page decides; if the page has none, the visitor's Accept-Language. (Default: ten languages)
   */
  readonly texts?: Readonly<Record<string, PageFormTexts>>;
}
