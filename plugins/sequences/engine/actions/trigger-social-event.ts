import type { Action, ActionResult } from '../../interpreter/types.ts';
import { attemptAction } from './refusals.ts';
import type { RunAtNode } from './run-at-node.ts';

type TriggerSocialEvent = Extract<Action, { kind: 'social_event' }>;

/** Triggers an event that becomes a social post, in the transaction of the step. A policy may hold the post; the run continues. */
export const triggerSocialEvent = ({ ctx }: RunAtNode, action: TriggerSocialEvent): Promise<ActionResult> =>
  attemptAction(ctx.now, async () => {
    const { eventKey, variables, outcome } = action;
    const { socialEvents } = ctx.as({ actor: 'sequences' });
    const { runId, postId } = await socialEvents.trigger({ eventKey, variables, outcome });
    return { kind: 'done', output: { runId, postId } };
  });
