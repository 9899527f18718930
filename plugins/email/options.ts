// The options of the email plugin. Data only; read by plugin.ts and the public routes.
import type { MailReports } from './port/index.ts';
import type { BouncesOptions } from './reports/return-paths.ts';
import type { SoftBounceOptions } from './reports/soft-bounces.ts';
import type { TrackingClassifier } from './tracking/classify.ts';

/** The texts of the page where a recipient unsubscribes. */
export interface UnsubscribeTexts {
  /** (Default: the direction of the language) */
  readonly direction?: 'ltr' | 'rtl';
  readonly title: string;
  readonly question: string;
  readonly button: string;
  readonly doneTitle: string;
  readonly done: string;
  /**
   * Texts that say which mail stops. They replace `question` before the button and `done` after it. `{sender}` is replaced by the name
   * of the sender. (Default: `question` and `done`)
   */
  readonly scopes?: {
    /** After a marketing mail: only marketing stops. */
    readonly marketing: UnsubscribeScopeTexts;
    /** After any other mail: all mail except system mail, such as login codes, stops. (Default: `question` and `done`) */
    readonly all_but_system?: UnsubscribeScopeTexts;
    /** If the workspace has the setting `unsubscribeScope: 'all'`: all mail to the address stops. */
    readonly all: UnsubscribeScopeTexts;
  };
  /** The texts for a mail with a topic. (Default: English) */
  readonly topic?: UnsubscribeTopicTexts;
  /** The page for a link to this page that is not valid. (Default: English) */
  readonly incomplete?: { readonly title: string; readonly text: string };
  /** The page for a tracked link without a target. (Default: English) */
  readonly deadLink?: { readonly title: string; readonly text: string };
}

/**
 * The texts for a mail with a topic: its first button stops the topic, the second one all marketing mail. `{topic}` is replaced by the
 * name of the topic, `{sender}` by the name of the sender.
 */
export interface UnsubscribeTopicTexts extends UnsubscribeScopeTexts {
  /** The second button. */
  readonly stop: string;
  /** Replaces `stop` if the workspace has the setting `unsubscribeScope: 'all'`. */
  readonly stopAll: string;
}

/** The sentences before and after the button. */
export interface UnsubscribeScopeTexts {
  readonly question: string;
  readonly done: string;
}

/** Options of `emailPlugin`. */
export interface EmailPluginOptions {
  /**
   * Sends mail with signed return paths, `bounce+<token>@domain`, so that every report that comes back identifies its message. Pass
   * on the domain's mail to `mailboxReports`. (Default: the sender's address, and reports are matched by their Message-ID)
   */
  readonly bounces?: BouncesOptions;
  /** Decides whether a person opened a message or followed a link. (Default: `classifyHit`) */
  readonly classify?: TrackingClassifier;
  /** The providers that report to /inbound/mail/{provider}, such as `sesReports({ topics })`. (Default: none) */
  readonly reports?: readonly MailReports[];
  /**
   * The rule by which repeated soft bounces suppress marketing mail to an address; `false`: they never do. (Default: 3 mails in 14 days,
   * for 30 days)
   */
  readonly softBounces?: SoftBounceOptions | false;
  /**
   * The unsubscribe page in further languages, by BCP 47 tag, or other words in place of a built-in language. The contact's
   * attribute `locale` selects the language, otherwise the browser's Accept-Language header. (Default: ten languages)
   */
  readonly unsubscribeTexts?: Readonly<Record<string, UnsubscribeTexts>>;
}
