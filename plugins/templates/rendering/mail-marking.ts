// The service that adds tracking and the recipient's links to a rendered mail, so that a preview shows and measures the mail
// as recipients would get it. Provided by the plugin that sends mail, if it is composed.
import type { ReadContext, Workspace } from '../../../core/index.ts';
import type { ResolvedTemplate } from '../service.ts';

/** `ctx.services.mailMarking`. */
export interface MailMarking {
  /** Returns the mail that a send of this template would deliver. Its links belong to no recipient and do not work. */
  mark(
    ctx: { readonly workspace: Workspace; read<T>(work: (ctx: ReadContext) => Promise<T>): Promise<T> },
    template: Pick<ResolvedTemplate, 'id' | 'key' | 'version' | 'category' | 'tracking' | 'locale'>,
    mail: { readonly html: string; readonly text: string },
  ): Promise<{ readonly html: string; readonly text: string }>;
}
