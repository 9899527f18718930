// The actions for a broadcast in the console: pause, resume and cancel. Each form says which people are affected.
import type { ConsoleAction, ConsoleContext } from '../../../core/index.ts';
import { actionForm, counted, type Html, html } from '../../../core/unstable.ts';
import type { BroadcastResource } from '../broadcasts.ts';
import type { BroadcastStatus } from '../schema.ts';

const idOf = ({ params }: ConsoleContext) => ({ broadcastId: params['broadcastId'] ?? '' });

export const broadcastActions: Readonly<Record<string, ConsoleAction>> = {
  pause: {
    done: 'The broadcast was paused. Recipients who have not got their mail yet get it only after the broadcast is resumed.',
    async run(ctx, { idempotencyKey }) {
      await ctx.calls.broadcasts.pause(idOf(ctx), { idempotencyKey });
    },
  },
  resume: {
    done: 'The broadcast continues, after a decision if a policy requires one.',
    async run(ctx, { idempotencyKey, fields: { ceiling } }) {
      const higher = ceiling === undefined ? {} : { ceiling: Number(ceiling) };
      await ctx.calls.broadcasts.resume({ ...idOf(ctx), ...higher }, { idempotencyKey });
    },
  },
  unschedule: {
    done: 'The broadcast is a draft again. Nothing is sent until you schedule it again.',
    async run(ctx, { idempotencyKey }) {
      await ctx.calls.broadcasts.unschedule(idOf(ctx), { idempotencyKey });
    },
  },
  cancel: {
    done: 'The broadcast was canceled. Nobody else gets its mail.',
    async run(ctx, { idempotencyKey }) {
      await ctx.calls.broadcasts.cancel(idOf(ctx), { idempotencyKey });
    },
  },
};

/** The people without a mail, in words. `uncounted`: the words for an audience that is not counted yet. */
const waitingText = ({ counts: { audience, waiting } }: BroadcastResource, uncounted: string): string =>
  audience === 0 ? uncounted : counted(waiting, 'recipient');

const pausable: readonly BroadcastStatus[] = ['preparing', 'sending'];
const cancelable: readonly BroadcastStatus[] = ['scheduled', 'preparing', 'sending', 'paused'];

function resumeForm(ctx: ConsoleContext, broadcast: BroadcastResource): Html {
  const { name, counts, pausedBy } = broadcast;
  const inputs =
    pausedBy === 'ceiling'
      ? [{ name: 'ceiling', label: 'Maximum number of contacts', value: String(counts.audience), isRequired: true }]
      : [];
  return actionForm(ctx, 'resume', {
    label: 'Resume',
    question: html`“${name}” continues: its mail goes to ${waitingText(broadcast, 'its audience')}.`,
    verb: 'Resume the broadcast',
    inputs,
  });
}

/** The forms that the state of the broadcast and the scopes of the person allow. `isHeld`: marketing mail must be released first. */
export function broadcastForms(ctx: ConsoleContext, broadcast: BroadcastResource, isHeld: boolean): Html | null {
  const { name, status, counts } = broadcast;
  const forms = [
    ...(status === 'scheduled' && ctx.mayCall('broadcasts.unschedule')
      ? [
          actionForm(ctx, 'unschedule', {
            label: 'Unschedule',
            question: html`“${name}” becomes a draft again and can be changed. Nothing is sent until it is scheduled again.`,
            verb: 'Make it a draft',
          }),
        ]
      : []),
    ...(pausable.includes(status) && ctx.mayCall('broadcasts.pause')
      ? [
          actionForm(ctx, 'pause', {
            label: 'Pause',
            question: html`“${name}” stops: no mail goes to ${waitingText(broadcast, 'anybody')} until it is resumed. Mail that is being handed over now still arrives.`,
            verb: 'Pause the broadcast',
          }),
        ]
      : []),
    ...(status === 'paused' && !isHeld && ctx.mayCall('broadcasts.resume') ? [resumeForm(ctx, broadcast)] : []),
    ...(cancelable.includes(status) && ctx.mayCall('broadcasts.cancel')
      ? [
          actionForm(ctx, 'cancel', {
            label: 'Cancel',
            question: html`“${name}” ends for good: no mail goes to ${waitingText(broadcast, 'anybody')}. ${counts.accepted === 0 ? null : html`Mail that has left still arrives, at most ${counted(counts.accepted, 'mail')}.`}`,
            verb: 'Cancel the broadcast',
            isDestructive: true,
          }),
        ]
      : []),
  ];
  return forms.length === 0 ? null : html`<div class="choices">${forms}</div>`;
}
