// The texts of the pages that visitors and recipients see, and of the confirmation mail: in English, and in the languages that the
// program gives to `listsPlugin`.
import { type PageTexts, pageTexts } from '../../core/unstable.ts';

/** The texts of lists in one language. `{list}` is replaced by the name of the list. */
export interface ListTexts {
  /** (Default: ltr) */
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
    readonly sentTitle: string;
    readonly sent: string;
    readonly sentHint: string;
  };
  /** The page that the button of the mail opens. */
  readonly confirm: {
    readonly title: string;
    readonly question: string;
    readonly button: string;
    readonly doneTitle: string;
    readonly done: string;
    readonly doneHint: string;
  };
  /** For the lead magnet of a form: shown on the page after the confirmation, and in a mail. */
  readonly leadMagnet: {
    readonly text: string;
    /** The button of the mail. */
    readonly button: string;
    readonly validity: string;
  };
  readonly preferences: {
    readonly title: string;
    readonly lists: string;
    /** Above the topics of marketing mail. (Default: English) */
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
    /** For a link to the page that is not valid. (Default: `invalidLink`) */
    readonly incomplete?: ListTexts['invalidLink'];
  };
  /** For any other link that is not valid. */
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

/** The heading of the topics, for languages without one. */
export const topicsTitle = 'What our emails are about';

const english: ListTexts = {
  subscribe: {
    email: 'Email',
    name: 'Name',
    optional: '(optional)',
    consent:
      'You agree to receive “{list}” by email. We will first email you to confirm, and you can unsubscribe at any time.',
    button: 'Subscribe',
    error: 'Error:',
    missing: 'Please fill in “{label}”.',
    noAddress: 'This is not an email address. It looks like name@example.com.',
    tooLong: 'Please use at most {count} characters.',
    characters: 'Please remove line breaks and special characters.',
    again: 'We could not process this. Please check it and send it again.',
    sentTitle: 'Check your inbox',
    sent: 'We have sent you an email. Click its button to confirm your subscription.',
    sentHint: 'Nothing there? Check your spam folder. If you are already subscribed, you will not get another email.',
  },
  confirm: {
    title: 'Please confirm',
    question: 'Please confirm that you want to receive these emails.',
    button: 'Confirm',
    doneTitle: 'Thank you',
    done: 'This is confirmed. You can close this page.',
    doneHint: 'Links are valid for 30 days. If yours was older, please sign up again.',
  },
  leadMagnet: {
    text: 'Here is what you asked for:',
    button: 'Open',
    validity: 'The link is valid for 7 days.',
  },
  preferences: {
    title: 'Email preferences',
    lists: 'Your subscriptions',
    topics: topicsTitle,
    save: 'Save',
    saved: 'Saved.',
    stopTitle: 'Stop marketing mail',
    stopNote: 'You will get no more marketing emails from us. Others, such as receipts, still come.',
    stopNoteWithLists:
      'You will get no more marketing emails from us, whatever you chose above. Others, such as receipts, still come.',
    stop: 'No more marketing mail',
    stopped: 'You will get no more marketing emails from us.',
    stoppedWithLists:
      'You will get no more marketing emails from us. Your choices here apply if you want them again later.',
    all: {
      stopTitle: 'No more mail',
      stopNote: 'You will get no more emails from us, of any kind.',
      stopNoteWithLists: 'You will get no more emails from us, of any kind, whatever you chose above.',
      stop: 'Unsubscribe from all emails',
      stopped: 'You will get no more emails from us.',
      stoppedWithLists: 'You will get no more emails from us. Your choices here apply if you want emails again later.',
    },
    incomplete: { title: 'Incomplete link', text: 'This link is incomplete. Copy it whole from the mail.' },
  },
  invalidLink: {
    title: 'There is nothing here',
    text: 'The link is incomplete, or the page no longer exists. Copy the whole link, or ask the sender.',
  },
  mail: {
    subject: 'Please confirm: {list}',
    preview: 'One click, and it is confirmed.',
    title: 'Please confirm',
    greeting: 'Hello {name},',
    request: 'You, or someone using your address, signed up for {list}. Please confirm that you want this.',
    button: 'Confirm',
    ignore:
      'If this was not you, you can ignore this email: you will not hear from us again. The link is valid for 30 days.',
  },
};

/** The texts by language tag. */
export type ListTextsByLanguage = PageTexts<ListTexts>;

/** Options of `listsPlugin`. */
export interface ListsPluginOptions {
  /**
   * The pages of lists and the confirmation mail in further languages, by BCP 47 tag. `en` replaces the built-in texts. The browser's
   * Accept-Language header selects the language. For a member added by a call, its attribute `locale` does. (Default: English)
   */
  readonly texts?: Readonly<Record<string, ListTexts>>;
}

export const listTexts = (input?: Readonly<Record<string, ListTexts>>): ListTextsByLanguage =>
  pageTexts(english, input);
