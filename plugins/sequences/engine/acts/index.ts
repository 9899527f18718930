// What nodes do to the world, one function a kind. Each works in the transaction of the step and answers what came of it.
import { needOf } from '../../definition/scopes.ts';
import type { Action, Outcome } from '../../interpreter/types.ts';
import { sequenceHeads } from '../../tables.ts';
import { enter } from '../enter.ts';
import type { ActPlace } from './act-place.ts';
import { attempt } from './refusals.ts';
import { sendEmail } from './send-email.ts';
import { sendSms } from './send-sms.ts';
import { tellSocialEvent } from './tell-social-event.ts';
import { tellWebhook } from './tell-webhook.ts';

/** Whether the publisher's scopes and the workspace's present plan allow the node. */
function isPermitted({ version, effects, nodeId }: ActPlace): boolean {
  const node = version.definition.nodes.find(({ id }) => id === nodeId);
  const need = node === undefined ? undefined : needOf(node);
  if (effects.workspace.suspended) return false;
  return need === undefined || (version.scopes.has(need.scope) && effects.workspace.plan.tier >= need.tier);
}

async function changeList(
  { surface, effects, contact }: ActPlace,
  action: Action & { listId: string },
): Promise<Outcome> {
  const { lists } = surface.services;
  return attempt(effects.now, async () => {
    if (action.kind === 'add_to_list')
      await lists.addMembers(effects, action.listId, [contact.id], { source: 'sequence' });
    else await lists.removeMembers(effects, action.listId, [contact.id]);
    return { kind: 'done' };
  });
}

async function enroll(place: ActPlace, action: Extract<Action, { kind: 'enroll' }>): Promise<Outcome> {
  const { surface, effects, contact } = place;
  const sequence = await sequenceHeads.findBy(effects.trx, { key: action.sequenceKey });
  if (sequence?.status !== 'published' || sequence.version_id === null)
    return { kind: 'skipped', reason: 'sequence_not_published' };
  const version = await surface.services.sequenceVersions.load(effects.trx, sequence.version_id);
  return attempt(effects.now, async () => {
    const variables = version.accept(action.variables);
    const entered = (await enter(effects, { sequence, version, variables }, [contact])).get(contact.id);
    if (entered?.kind === 'enrolled') return { kind: 'done', output: { runId: entered.run.id } };
    return { kind: 'skipped', reason: entered?.kind === 'already' ? 'already_enrolled' : 'entered_too_often' };
  });
}

/** Performs an action, in a savepoint where it calls operations: a refusal leaves nothing. */
export async function perform(place: ActPlace, action: Action): Promise<Outcome> {
  if (!isPermitted(place)) return { kind: 'failed', reason: 'not_permitted', final: true };
  switch (action.kind) {
    case 'send_email':
      return sendEmail(place, action);
    case 'send_sms':
      return sendSms(place, action);
    case 'social_event':
      return tellSocialEvent(place, action);
    case 'webhook':
      return tellWebhook(place, action);
    case 'update_contact': {
      const { effects, contact } = place;
      const attributes = action.attributes as Record<string, string>;
      return attempt(effects.now, async () => {
        await effects.as({ actor: 'sequences' }).contacts.upsert({ id: contact.id, attributes });
        return { kind: 'done' };
      });
    }
    case 'add_to_list':
    case 'remove_from_list':
      return changeList(place, action as Action & { listId: string });
    case 'enroll':
      return enroll(place, action);
    default:
      return { kind: 'failed', reason: 'not_composed', final: true };
  }
}
