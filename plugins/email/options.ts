// The options of the email plugin. Data only; read by plugin.ts and the public routes.
import type { MailReports } from './port/index.ts';
import type { TrackingClassifier } from './tracking/classify.ts';

/** The texts of the page where a recipient unsubscribes. */
export interface UnsubscribeTexts {
  /** (Default: ltr) */
  readonly direction?: 'ltr' | 'rtl';
  readonly title: string;
  readonly question: string;
  readonly button: string;
  readonly doneTitle: string;
  readonly done: string;
  /**
   * What stops, in place of `question` before the button and of `done` after it. `{sender}` stands for the name of the sender.
   * (Default: `question` and `done`)
   */
  readonly scopes?: {
    /** After a marketing mail: marketing alone. */
    readonly marketing: UnsubscribeScopeTexts;
    /** After any other mail: all but system mail, such as login codes. (Default: `question` and `done`) */
    readonly all_but_system?: UnsubscribeScopeTexts;
    /** Where the workspace has the setting `unsubscribeScope: 'all'`: all mail to the address. */
    readonly all: UnsubscribeScopeTexts;
  };
  /** Where a link does not open. (Default: English) */
  readonly incomplete?: { readonly title: string; readonly text: string };
}

/** The sentences before and after the button. */
export interface UnsubscribeScopeTexts {
  readonly question: string;
  readonly done: string;
}

/** Options of `emailPlugin`. */
export interface EmailPluginOptions {
  /** Decides whether a person opened a message or followed a link. (Default: `classifyHit`) */
  readonly classify?: TrackingClassifier;
  /** The providers that report to /inbound/mail/{provider}, such as `sesReports({ topics })`. (Default: none) */
  readonly reports?: readonly MailReports[];
  /**
   * The unsubscribe page in further languages, by BCP 47 tag; `en` replaces the embedded texts. The browser's
   * Accept-Language chooses. (Default: English)
   */
  readonly unsubscribeTexts?: Readonly<Record<string, UnsubscribeTexts>>;
}
