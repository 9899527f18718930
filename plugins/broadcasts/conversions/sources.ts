// The extension point for plugins that send mail step by step: they recognise their own mails, so that conversions count for them, too.
import type { ReadContext } from '../../../core/index.ts';

/** A mail that the contact got. */
export interface ConversionMail {
  readonly sendId: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The origin of a mail. */
export interface MailOrigin {
  /** The plugin that sent it. */
  readonly source: string;
  /** The id of the broadcast, or the id that the plugin sets, such as the id of a sequence. */
  readonly sourceId: string;
  /** The step; null without steps. */
  readonly step: string | null;
}

/** An entry of `broadcasts.conversion_sources`. */
export interface ConversionSource {
  /** The mails among these that the plugin sent, by the ids of their sends. */
  find(ctx: ReadContext, mails: readonly ConversionMail[]): Promise<ReadonlyMap<string, Omit<MailOrigin, 'source'>>>;
}

declare module '../../../core/contract/open.ts' {
  interface ExtensionPoints {
    /** Plugins whose mails can lead to conversions. */
    'broadcasts.conversion_sources': ConversionSource;
  }
}
