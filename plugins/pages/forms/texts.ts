// The words around the fields of a form, which its author does not write: English, and the languages that the program gives to
// `pagesPlugin`. The mail that asks to confirm and its page are texts of `listsPlugin`.
import { type PageTexts, pageTexts } from '../../../core/unstable.ts';

/** The texts of pages in one language. */
export interface PageFormTexts {
  /** (Default: ltr) */
  readonly direction?: 'ltr' | 'rtl';
  /** After the label of a field that may stay empty. */
  readonly optional: string;
  /** The button, where the section and the page name none. */
  readonly send: string;
  /** Before the title of the page where a field has a fault. */
  readonly error: string;
  /** Contains `{label}`. */
  readonly missing: string;
  /** Where a box is not ticked; contains `{label}`. */
  readonly unticked: string;
  /** Where none of the options of a select was chosen; contains `{label}`. */
  readonly choose: string;
  readonly noAddress: string;
  /** Contains `{count}`, the most characters. */
  readonly tooLong: string;
  readonly characters: string;
  /** Where the form was open for a day, or sent within two seconds. */
  readonly again: string;
  /** After sending, where the form has no thanks of its own. */
  readonly sent: string;
  /** After sending a form that asks to confirm. The same for every address. */
  readonly confirm: string;
  /** Above a form that is shown by preview. */
  readonly preview: string;
  /** The link past the name of the brand, for keyboards. */
  readonly skip: string;
  /** Above the whole page, when it is shown by preview. */
  readonly previewPage: string;
  /** Where there is no page. */
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

/** By tag. */
export type PageFormTextsByLanguage = PageTexts<PageFormTexts>;

export const pageFormTexts = (given?: Readonly<Record<string, PageFormTexts>>): PageFormTextsByLanguage =>
  pageTexts(english, given);

/** Options of `pagesPlugin`. */
export interface PagesPluginOptions {
  /**
   * The words around forms in further languages, by BCP 47 tag; `en` replaces the embedded texts. The language of the
   * page chooses; for a page without one, the visitor's Accept-Language. (Default: English)
   */
  readonly texts?: Readonly<Record<string, PageFormTexts>>;
}
