// The extension points of templates: plugins that reference a template, and plugins that are notified when it changes.
// Called by publishing, rolling back and archiving, inside their transaction.
import type { OperationContext, ReferenceSource, TransactionContext } from '../../../core/index.ts';

/** An entry of `templates.changes`, from a plugin that stores something that depends on templates. */
export interface TemplateChanges {
  /** Called in the transaction that gives a template another version or archives it. */
  templateChanged(ctx: TransactionContext, templateKey: string): Promise<void>;
}

declare module '../../../core/contract/open.ts' {
  interface ExtensionPoints {
    /**
     * The senders of a template, by its key. `template_in_use` lists them if a caller tries to archive the template.
     */
    'templates.references': ReferenceSource;
    'templates.changes': TemplateChanges;
  }
}

/** Notifies all entries of `templates.changes`. */
export async function notifyTemplateChanged(ctx: OperationContext, templateKey: string): Promise<void> {
  for (const changes of ctx.ports.contributions('templates.changes').values())
    await changes.templateChanged(ctx, templateKey);
}
