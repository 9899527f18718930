// The door for what a send adds to a rendered mail: tracking, and links of its recipient. Provided by the plugin that sends, where
// one is composed. A preview asks for it to show, or to measure, what would arrive.
import type { ReadContext, Workspace } from '../../core/index.ts';
import type { ResolvedTemplate } from './service.ts';

/** `ctx.services.mailMarking`. */
export interface MailMarking {
  /** The mail as a send of this template would leave; its links are of nobody and open nothing. */
  marked(
    ctx: { readonly workspace: Workspace; read<T>(work: (ctx: ReadContext) => Promise<T>): Promise<T> },
    template: Pick<ResolvedTemplate, 'id' | 'key' | 'category' | 'tracking' | 'locale'>,
    mail: { readonly html: string; readonly text: string },
  ): Promise<{ readonly html: string; readonly text: string }>;
}
