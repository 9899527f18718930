// The service that adds tracking and the recipient's links to a rendered mail. Provided by the plugin that sends, if
// one is composed. A preview calls it to show, or to measure, the mail that would arrive.
import type { ReadContext, Workspace } from '../../../core/index.ts';
import type { ResolvedTemplate } from '../service.ts';

/** `ctx.services.mailMarking`. */
export interface MailMarking {
  /** Returns the mail as a send of this template would leave. Its links belong to no recipient and open nothing. */
  marked(
    ctx: { readonly workspace: Workspace; read<T>(work: (ctx: ReadContext) => Promise<T>): Promise<T> },
    template: Pick<ResolvedTemplate, 'id' | 'key' | 'version' | 'category' | 'tracking' | 'locale'>,
    mail: { readonly html: string; readonly text: string },
  ): Promise<{ readonly html: string; readonly text: string }>;
}
