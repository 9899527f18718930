// The actions for a creation in the console: decide on its strategy, build an item again, cancel it.
import type { ConsoleAction, ConsoleContext } from '../../../core/index.ts';
import { actionForm, type Html, html } from '../../../core/unstable.ts';
import type { CreationSummary } from '../schema.ts';

const idOf = ({ params }: ConsoleContext): string => params['creationId'] ?? '';

/** The actions of the page. */
export const creationActions: Readonly<Record<'approve' | 'revise' | 'reject' | 'cancel' | 'retry', ConsoleAction>> = {
  approve: {
    done: 'Done: the items are built as drafts, or the approval waits for a decision. The state above says which.',
    async run(ctx, { idempotencyKey, fields: { note = '' } }) {
      await ctx.calls.creations.approveStrategy(
        { creationId: idOf(ctx), ...(note.trim() === '' ? {} : { note: note.trim() }) },
        { idempotencyKey },
      );
    },
  },
  revise: {
    done: 'The strategy is being drafted again.',
    async run(ctx, { idempotencyKey, fields: { comment = '' } }) {
      await ctx.calls.creations.rejectStrategy({ creationId: idOf(ctx), revise: true, comment }, { idempotencyKey });
    },
  },
  reject: {
    done: 'The strategy is rejected.',
    async run(ctx, { idempotencyKey, fields: { comment = '' } }) {
      await ctx.calls.creations.rejectStrategy(
        { creationId: idOf(ctx), ...(comment.trim() === '' ? {} : { comment }) },
        { idempotencyKey },
      );
    },
  },
  cancel: {
    done: 'The creation is canceled. Drafts that were built stay.',
    async run(ctx, { idempotencyKey }) {
      await ctx.calls.creations.cancel({ creationId: idOf(ctx) }, { idempotencyKey });
    },
  },
  retry: {
    done: 'The item is being built again.',
    async run(ctx, { idempotencyKey, fields: { itemId = '' } }) {
      await ctx.calls.creations.retryItem({ creationId: idOf(ctx), itemId }, { idempotencyKey });
    },
  },
};

/** Builds a failed item again. */
export const retryForm = (ctx: ConsoleContext, itemId: string, purpose: string): Html =>
  actionForm(ctx, 'retry', {
    label: 'Build again',
    question: html`${purpose} is built again, with the items that need it. Its price is reserved again.`,
    verb: 'Build the item again',
    fields: { itemId },
  });

const final: readonly CreationSummary['status'][] = ['rejected', 'live', 'completed', 'canceled'];

/** The forms for the actions that the state and the person's scopes allow. */
export function creationForms(ctx: ConsoleContext, { name, status, credits, approval }: CreationSummary): Html {
  const isWaiting = status === 'awaiting_approval';
  const approve =
    isWaiting && approval === null && ctx.mayCall('creations.approve_strategy')
      ? actionForm(ctx, 'approve', {
          label: 'Approve the strategy',
          question: html`The items of ${name} are built as drafts, for ${credits.price} credits. Nothing is published or sent by itself.`,
          verb: 'Approve and build',
          inputs: [{ name: 'note', label: 'Note for the members who decide', isLong: true, maxLength: 2_000 }],
        })
      : null;
  const comment = { name: 'comment', isLong: true, maxLength: 2_000 } as const;
  const decide =
    isWaiting && ctx.mayCall('creations.reject_strategy')
      ? html`${actionForm(ctx, 'revise', {
          label: 'Ask for changes',
          question: html`The strategy of ${name} is drafted again, with your comment.`,
          verb: 'Draft it again',
          inputs: [{ ...comment, label: 'What should be different', isRequired: true }],
        })}${actionForm(ctx, 'reject', {
          label: 'Reject',
          question: html`The strategy of ${name} is rejected for good. Nothing is built.`,
          verb: 'Reject the strategy',
          isDestructive: true,
          inputs: [{ ...comment, label: 'Why' }],
        })}`
      : null;
  const cancel =
    !final.includes(status) && ctx.mayCall('creations.cancel')
      ? actionForm(ctx, 'cancel', {
          label: 'Cancel',
          question: html`${name} ends, and reserved credits are released. Drafts that were built stay.`,
          verb: 'Cancel the creation',
          isDestructive: true,
        })
      : null;
  return html`${approve}${decide}${cancel}`;
}
