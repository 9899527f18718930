// The words around the fields of a form, which the form's author does not write: English, and further languages passed
// to `pagesPlugin`. The confirmation mail and its page have texts in `listsPlugin`.
import { type PageTexts, pageTexts } from '../../../core/unstable.ts';

/** The texts of pages in one language. */
export interface PageFormTexts {
  /** (Default: ltr) */
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
}

const english: PageFormTexts = {
  optional: '(optional)',
  send: 'Send',
  error: 'Error:',
  missing: 'Please fill in “{label}”.',
  unticked: 'Please tick “{label}”.',
  choose: 'Please choose one for “{label}”.',
  noAddress: 'This is not an email address. It looks like name@example.com.',
  tooLong: 'Please use at most {count} characters.',
  characters: 'Please remove line breaks and special characters.',
  again: 'We could not process this. Please check it and send it again.',
  sent: 'Thank you. We have received your message.',
  confirm:
    'Please check your inbox: we have sent you an email with a button to confirm your address. Nothing there? Look in the spam folder.',
  preview: 'This is a preview: the form sends nothing.',
  skip: 'Skip to content',
  previewPage: 'This is a preview. Visitors do not see it.',
  missingTitle: 'There is no such page',
  missingText: 'It may have moved, or it is offline. Please check the address.',
};

/** Texts by language tag. */
export type PageFormTextsByLanguage = PageTexts<PageFormTexts>;

export const pageFormTexts = (input?: Readonly<Record<string, PageFormTexts>>): PageFormTextsByLanguage =>
  pageTexts(english, input);

/** Options of `pagesPlugin`. */
export interface PagesPluginOptions {
  /**
   * The words around forms in further languages, by BCP 47 tag; `en` replaces the built-in texts. The language of the
   * page decides; if the page has none, the visitor's Accept-Language. (Default: English)
   */
  readonly texts?: Readonly<Record<string, PageFormTexts>>;
}
