// The texts of the pages that visitors and recipients see, and of the confirmation mail: in ten languages, and in
// those that the program gives to `listsPlugin`.
import { type PageTexts, pageTexts } from '../../core/unstable.ts';
import { builtInTexts } from './languages/index.ts';

/** The texts of lists in one language. `{list}` is replaced by the name of the list. */
export interface ListTexts {
  /** (Default: the direction of the language) */
  readonly direction?: 'ltr' | 'rtl';
  /** The subscribe form. */
  readonly subscribe: {
    readonly email: string;
    readonly name: string;
    /** After the label of an optional field. */
    readonly optional: string;
    /** The text that visitors agree to. Stored with their consent. Contains `{list}`. */
    readonly consent: string;
    readonly button: string;
    /** Before the title of the page if a field has a fault. */
    readonly error: string;
    /** Contains `{label}`. */
    readonly missing: string;
    readonly noAddress: string;
    /** Contains `{count}`, the maximum number of characters. */
    readonly tooLong: string;
    readonly characters: string;
    /** If the form was open for a day, or was sent within two seconds. */
    readonly again: string;
    /** If the form was sent too often. (Default: again) */
    readonly tooMany?: string;
    readonly sentTitle: string;
    readonly sent: string;
    readonly sentHint: string;
  };
  /** The page that the button of the mail opens. */
  readonly confirm: {
    readonly title: string;
    readonly question: string;
    /** Replaces `question` for a valid link: contains `{list}` and `{email}`. (Default: question) */
    readonly about?: string;
    readonly button: string;
    readonly doneTitle: string;
    readonly done: string;
    /** Replaces `done` for a valid link: contains `{list}` and `{email}`. (Default: done) */
    readonly doneAbout?: string;
    readonly doneHint: string;
  };
  /** The texts about the lead magnet of a form, on the page after the confirmation and in a mail. */
  readonly leadMagnet: {
    readonly text: string;
    /** The button of the mail. */
    readonly button: string;
    readonly validity: string;
  };
  readonly preferences: {
    readonly title: string;
    readonly lists: string;
    /** The heading above the topics of marketing mail. (Default: the same words in the built-in language, otherwise English) */
    readonly topics?: string;
    readonly save: string;
    readonly saved: string;
    readonly stopTitle: string;
    readonly stopNote: string;
    /** Replaces `stopNote` if the page has lists or topics to choose from. */
    readonly stopNoteWithLists: string;
    readonly stop: string;
    readonly stopped: string;
    /** Replaces `stopped` if the page has lists or topics to choose from. */
    readonly stoppedWithLists: string;
    /** Replace the texts above if the workspace has the setting `unsubscribeScope: 'all'`. (Default: the texts above) */
    readonly all?: Readonly<
      Record<'stopTitle' | 'stopNote' | 'stopNoteWithLists' | 'stop' | 'stopped' | 'stoppedWithLists', string>
    >;
    /** The page for a link to this page that is not valid. (Default: `invalidLink`) */
    readonly incomplete?: ListTexts['invalidLink'];
  };
  /** The page for any other link that is not valid. */
  readonly invalidLink: { readonly title: string; readonly text: string };
  /** The built-in confirmation mail. */
  readonly mail: {
    /** Contains `{list}`, as does `request`. */
    readonly subject: string;
    readonly preview: string;
    readonly title: string;
    /** Contains `{name}`; left out if the name is not known. */
    readonly greeting: string;
    readonly request: string;
    readonly button: string;
    readonly ignore: string;
  };
}

/** The texts by language tag. */
export type ListTextsByLanguage = PageTexts<ListTexts>;

/** Options of `listsPlugin`. */
export interface ListsPluginOptions {
  /**
   * The pages of lists and the confirmation mail in further languages, by BCP 47 tag, or other words in place of a built-in language.
   * The contact's attribute `locale` selects the language, otherwise the browser's Accept-Language header. (Default: ten languages)
   */
  readonly texts?: Readonly<Record<string, ListTexts>>;
}

export const listTexts = (input?: Readonly<Record<string, ListTexts>>): ListTextsByLanguage =>
  pageTexts(builtInTexts, input);
