import { isPostriderError } from '../../../../core/index.ts';
import type { SmsService } from '../../../sms/index.ts';
import type { Action, ActionResult } from '../../interpreter/types.ts';
import { countMessage, isCapped } from './caps.ts';
import { attemptAction } from './refusals.ts';
import type { RunAtNode } from './run-at-node.ts';

type SendSms = Extract<Action, { kind: 'send_sms' }>;

/** Queues an SMS to the contact, in the transaction of the step. */
export async function sendSms(opened: RunAtNode, action: SendSms): Promise<ActionResult> {
  const { ctx } = opened;
  const { to, templateKey, variables } = action;
  if (to === undefined) return { kind: 'skipped', reason: 'no_phone' };
  if (await isCapped(opened, 'sms')) return { kind: 'skipped', reason: 'capped' };
  const sms: SmsService | undefined = ctx.services.sms;
  const consentProofId = action.consentProofId ?? (await sms?.latestConsent(ctx.trx, to));
  return attemptAction(ctx.now, async () => {
    try {
      const accepted = await ctx.as({ actor: 'sequences' }).sms.send({
        templateKey: templateKey as 'account_alert',
        to,
        variables,
        ...(consentProofId === undefined ? {} : { consentProofId }),
      });
      const output = { smsId: accepted.id };
      if (accepted.status === 'suppressed') return { kind: 'skipped', reason: 'suppressed', output };
      countMessage(opened, 'sms');
      return { kind: 'done', output };
    } catch (error) {
      if (isPostriderError(error) && error.code === 'consent_required')
        return { kind: 'skipped', reason: 'no_consent' };
      if (isPostriderError(error) && error.code === 'phone_invalid') return { kind: 'skipped', reason: 'no_phone' };
      throw error;
    }
  });
}
