// The actions on a sequence in the console: pause, resume and archive. Code-defined sequences have no actions, because only the
// program's code changes them.
import type { ConsoleAction, ConsoleContext } from '../../../core/index.ts';
import { actionForm, counted, type Html, html } from '../../../core/unstable.ts';
import type { SequenceResource } from '../schema.ts';

const keyOrId = ({ params }: ConsoleContext): string => params['sequenceId'] ?? '';

/** The actions of the page. */
export const sequenceActions: Readonly<Record<'pause' | 'resume' | 'archive', ConsoleAction>> = {
  pause: {
    done: 'The sequence is paused. No contact enters it, and its runs wait.',
    async run(ctx, { idempotencyKey }) {
      await ctx.calls.sequences.pause({ keyOrId: keyOrId(ctx) }, { idempotencyKey });
    },
  },
  resume: {
    done: 'The sequence is active again.',
    async run(ctx, { idempotencyKey }) {
      await ctx.calls.sequences.resume({ keyOrId: keyOrId(ctx) }, { idempotencyKey });
    },
  },
  archive: {
    done: 'The sequence is archived. Its active runs end soon.',
    async run(ctx, { idempotencyKey }) {
      await ctx.calls.sequences.archive({ keyOrId: keyOrId(ctx) }, { idempotencyKey });
    },
  },
};

/** The operations change the live sequence, so on the sandbox side they are refused, except on the plan sandbox. */
const isChangeable = ({ side, workspace }: ConsoleContext, { source, status }: SequenceResource): boolean =>
  source === 'api' && status !== 'archived' && (side === 'live' || workspace.plan.name === 'sandbox');

/** The forms for the actions that the state and the person's scopes allow. */
export function actionForms(ctx: ConsoleContext, sequence: SequenceResource): Html | null {
  if (!isChangeable(ctx, sequence)) return null;
  const { name, status, activeRunCount } = sequence;
  const runs = counted(activeRunCount, 'active run');
  const pause =
    status === 'published' && ctx.mayCall('sequences.pause')
      ? actionForm(ctx, 'pause', {
          label: 'Pause',
          question: html`While ${name} is paused, no contact enters it. It has ${runs}, which will wait until you resume it.`,
          verb: 'Pause the sequence',
        })
      : null;
  const resume =
    status === 'paused' && ctx.mayCall('sequences.resume')
      ? actionForm(ctx, 'resume', {
          label: 'Resume',
          question: html`Contacts can enter ${name} again. It has ${runs}: sends that became due during the pause may be sent at once.`,
          verb: 'Resume the sequence',
        })
      : null;
  const archive = ctx.mayCall('sequences.archive')
    ? actionForm(ctx, 'archive', {
        label: 'Archive',
        question: html`No contact will enter ${name} any more. It has ${runs}, which will end. An archived sequence cannot be restored.`,
        verb: 'Archive the sequence',
        isDestructive: true,
      })
    : null;
  return html`<div class="actions">${pause}${resume}${archive}</div>`;
}
