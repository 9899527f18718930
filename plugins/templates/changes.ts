// The extension points of templates: who names one, and who hears that one has changed. Called by publishing, by rolling back and by
// archiving, inside their transaction.
import type { OperationContext, ReferenceSource, TransactionContext } from '../../core/index.ts';

/** An entry of `templates.changes`, of a plugin that keeps something that depends on templates. */
export interface TemplateChanges {
  /** A template has another version, or none any more. Called in the transaction that changes it. */
  templateChanged(ctx: TransactionContext, templateKey: string): Promise<void>;
}

declare module '../../core/contract/open.ts' {
  interface ExtensionPoints {
    /** What sends a template, by its key: `template_in_use` shows it when the template is to be archived. */
    'templates.references': ReferenceSource;
    'templates.changes': TemplateChanges;
  }
}

/** Tells all of them. */
export async function tellTemplateChanged(ctx: OperationContext, templateKey: string): Promise<void> {
  for (const changes of ctx.ports.contributions('templates.changes').values())
    await changes.templateChanged(ctx, templateKey);
}
