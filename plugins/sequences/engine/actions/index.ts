// The actions of nodes, one function per kind. Each runs in the transaction of the step and returns its outcome.
import { needOf } from '../../definition/scopes.ts';
import type { Action, ActionResult } from '../../interpreter/types.ts';
import { sequenceHeads } from '../../tables.ts';
import { enterSequence } from '../enter-sequence.ts';
import { deliverToWebhook } from './deliver-to-webhook.ts';
import { attemptAction } from './refusals.ts';
import type { RunAtNode } from './run-at-node.ts';
import { sendEmail } from './send-email.ts';
import { sendSms } from './send-sms.ts';
import { triggerSocialEvent } from './trigger-social-event.ts';

/** Whether the publisher's scopes and the workspace's current plan allow the node. */
function isPermitted({ version, ctx, nodeId }: RunAtNode): boolean {
  const node = version.definition.nodes.find(({ id }) => id === nodeId);
  const requirement = node === undefined ? undefined : needOf(node);
  if (ctx.workspace.suspended) return false;
  return (
    requirement === undefined || (version.scopes.has(requirement.scope) && ctx.workspace.plan.tier >= requirement.tier)
  );
}

async function changeList({ ctx, contact }: RunAtNode, action: Action & { listId: string }): Promise<ActionResult> {
  const { lists } = ctx.services;
  return attemptAction(ctx.now, async () => {
    if (action.kind === 'add_to_list') await lists.addMembers(ctx, action.listId, [contact.id], { source: 'sequence' });
    else await lists.removeMembers(ctx, action.listId, [contact.id]);
    return { kind: 'done' };
  });
}

async function enroll(opened: RunAtNode, action: Extract<Action, { kind: 'enroll' }>): Promise<ActionResult> {
  const { ctx, contact } = opened;
  const sequence = await sequenceHeads.findBy(ctx.trx, { key: action.sequenceKey });
  if (sequence?.status !== 'published' || sequence.version_id === null)
    return { kind: 'skipped', reason: 'sequence_not_published' };
  const version = await ctx.services.sequenceVersions.load(ctx.trx, sequence.version_id);
  return attemptAction(ctx.now, async () => {
    const variables = version.accept(action.variables);
    const entry = (await enterSequence(ctx, { sequence, version, variables }, [contact])).get(contact.id);
    if (entry?.kind === 'enrolled') return { kind: 'done', output: { runId: entry.run.id } };
    return { kind: 'skipped', reason: entry?.kind === 'already' ? 'already_enrolled' : 'entered_too_often' };
  });
}

/** Performs an action. An action that calls operations runs in a savepoint, so that a refusal is rolled back. */
export async function perform(opened: RunAtNode, action: Action): Promise<ActionResult> {
  if (!isPermitted(opened)) return { kind: 'failed', reason: 'not_permitted', final: true };
  switch (action.kind) {
    case 'send_email':
      return sendEmail(opened, action);
    case 'send_sms':
      return sendSms(opened, action);
    case 'social_event':
      return triggerSocialEvent(opened, action);
    case 'webhook':
      return deliverToWebhook(opened, action);
    case 'update_contact': {
      const { ctx, contact } = opened;
      const attributes = action.attributes as Record<string, string>;
      return attemptAction(ctx.now, async () => {
        await ctx.as({ actor: 'sequences' }).contacts.upsert({ id: contact.id, attributes });
        return { kind: 'done' };
      });
    }
    case 'add_to_list':
    case 'remove_from_list':
      return changeList(opened, action as Action & { listId: string });
    case 'enroll':
      return enroll(opened, action);
    default:
      return { kind: 'failed', reason: 'not_composed', final: true };
  }
}
