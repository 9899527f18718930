import type { Action, Outcome } from '../../interpreter/types.ts';
import { attempt } from './refusals.ts';
import type { RunAtNode } from './run-at-node.ts';

type TellSocialEvent = Extract<Action, { kind: 'social_event' }>;

/** Triggers an event that becomes a social post, in the transaction of the step. A policy may hold the post; the run continues. */
export const tellSocialEvent = ({ ctx }: RunAtNode, action: TellSocialEvent): Promise<Outcome> =>
  attempt(ctx.now, async () => {
    const { eventKey, variables, outcome } = action;
    const { socialEvents } = ctx.as({ actor: 'sequences' });
    const { runId, postId } = await socialEvents.trigger({ eventKey, variables, outcome });
    return { kind: 'done', output: { runId, postId } };
  });
