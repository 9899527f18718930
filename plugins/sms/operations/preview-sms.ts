import { defineOperation } from '../../../core/index.ts';
import { renderTemplate } from '../accept/templates.ts';
import { measureSms } from '../encoding/segments.ts';
import { segmentLimit, templateErrors } from '../errors.ts';
import { previewBody, previewResponse, type SmsPreviewWarning } from '../schema.ts';
import { loadSettings } from '../settings.ts';
import { loginCode, templateErrorCases } from './fixture-rows.ts';

const standInText = (standIn: string | null): string => {
  if (standIn === null) return 'GSM-7 has nothing like it.';
  return standIn === '' ? 'It can be left out.' : `${JSON.stringify(standIn)} is GSM-7.`;
};

export const previewSms = defineOperation({
  id: 'sms.preview',
  summary: 'Preview an SMS',
  description:
    'The text as a send would have it, its encoding, its length in characters (code points) and the segments that the carrier bills. Warnings name each character outside of GSM-7, which more than halves the capacity of a segment, with a replacement. Nothing is sent, stored or counted.',
  http: 'POST /v1/messaging/transactional/preview',
  tool: 'preview_sms_template',
  scopes: ['messaging.transactional.read'],
  idempotency: 'read',
  input: { body: previewBody },
  output: previewResponse,
  errors: templateErrors,
  fixture: async () => ({ body: loginCode, errors: templateErrorCases() }),

  async handler(ctx, { body: { templateKey, variables } }) {
    const { text } = await renderTemplate(ctx, await loadSettings(ctx.trx), templateKey, variables);
    const { encoding, characters, segments, offenders } = measureSms(text);
    const warnings: SmsPreviewWarning[] = offenders.map(({ character, codePoint, count, standIn }) => ({
      code: 'not_gsm7',
      message: `${codePoint} is outside of GSM-7, so the whole text is UCS-2. ${standInText(standIn)}`,
      ...{ character, codePoint, count, standIn },
    }));
    if (segments > segmentLimit)
      warnings.push({
        code: 'too_long',
        message: `The text has ${segments} segments. A send with more than ${segmentLimit} is refused.`,
      });
    return { templateKey, body: text, encoding, characters, segments, segmentLimit, warnings };
  },
});
