// The checks of every SMS adapter before it calls the provider. They reject fields that a provider would misinterpret.
import { type OutgoingSms, SmsError } from '../../plugins/sms/port/index.ts';

const e164 = /^\+[1-9]\d{4,14}$/;
/** Tabs and line breaks are allowed; other control characters are not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds these characters.
const controls = /[\u0000-\u0008\u000b\u000e-\u001f\u007f]/;

/** @throws SmsError `refused` */
export function checkSms({ to, body, from }: OutgoingSms): void {
  if (!e164.test(to)) throw new SmsError('refused', 'The number is not E.164.', { reason: 'invalid_number' });
  if (body === '') throw new SmsError('refused', 'The text is empty.', { reason: 'content' });
  if (controls.test(body)) throw new SmsError('refused', 'The text has control characters.', { reason: 'content' });
  if (from !== undefined && !/^[^\p{Cc}]{1,100}$/u.test(from))
    throw new SmsError('refused', 'The sender is not one line.', { reason: 'sender' });
}
