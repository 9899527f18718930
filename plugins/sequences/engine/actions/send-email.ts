import type { Action, ActionResult } from '../../interpreter/types.ts';
import { countMessage, isCapped } from './caps.ts';
import { attemptAction } from './refusals.ts';
import type { RunAtNode } from './run-at-node.ts';

type SendEmail = Extract<Action, { kind: 'send_email' }>;

/** Queues a mail to the contact, in the transaction of the step. */
export async function sendEmail(opened: RunAtNode, action: SendEmail): Promise<ActionResult> {
  const { ctx, contact, run, sequence, nodeId } = opened;
  const to = contact.addressAsGiven ?? contact.email;
  if (to === null) return { kind: 'skipped', reason: 'no_address' };
  if (await isCapped(opened, 'email')) return { kind: 'skipped', reason: 'capped' };
  const { templateKey: template, variables, locale, from, replyTo, tags } = action;
  const { mailDecisions } = ctx.services;
  return attemptAction(ctx.now, async () => {
    // If the mail has to wait, the run waits at its node, so that a goal or an exit in the meantime still stops the mail.
    const { attributes } = contact;
    const waitUntil = await mailDecisions.waitsUntil(ctx, {
      email: to,
      attributes,
      templateKey: template,
      fromEmail: from?.email,
    });
    if (waitUntil !== undefined)
      return { kind: 'later', until: waitUntil.until, reason: waitUntil.code, isPlanned: true };
    const accepted = await ctx.as({ actor: 'sequences' }).email.send({
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
    const output = { sendId: accepted.id };
    // A mail is `failed` if it would expire before the time at which it may be sent.
    if (accepted.status === 'suppressed' || accepted.status === 'failed')
      return { kind: 'skipped', reason: mailDecisions.codeOf(accepted), output };
    countMessage(opened, 'email');
    return { kind: 'done', output };
  });
}
