import type { Action, Outcome } from '../../interpreter/types.ts';
import { isCapped, remember } from './caps.ts';
import { attempt } from './refusals.ts';
import type { RunAtNode } from './run-at-node.ts';

type SendEmail = Extract<Action, { kind: 'send_email' }>;

/** Queues a mail to the contact, in the transaction of the step. */
export async function sendEmail(opened: RunAtNode, action: SendEmail): Promise<Outcome> {
  const { ctx, contact, run, sequence, nodeId } = opened;
  const to = contact.addressAsGiven ?? contact.email;
  if (to === null) return { kind: 'skipped', reason: 'no_address' };
  if (await isCapped(opened, 'email')) return { kind: 'skipped', reason: 'capped' };
  const { templateKey: template, variables, locale, from, replyTo, tags } = action;
  return attempt(ctx.now, async () => {
    const sent = await ctx.as({ actor: 'sequences' }).email.send({
      template,
      to,
      variables,
      metadata: { sequence: sequence.key, runId: run.id, nodeId },
      ...(locale === undefined ? {} : { locale }),
      ...(from === undefined
        ? {}
        : { from: { email: from.email, ...(from.name === undefined ? {} : { name: from.name }) } }),
      ...(replyTo === undefined ? {} : { replyTo: { email: replyTo } }),
      ...(tags.length === 0 ? {} : { tags: [...tags] }),
    });
    const output = { sendId: sent.id };
    if (sent.status === 'suppressed') return { kind: 'skipped', reason: 'suppressed', output };
    remember(opened, 'email');
    return { kind: 'done', output };
  });
}
