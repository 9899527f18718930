// The options of the SMS plugin. Data only.
import type { QuietHours } from '../../core/unstable.ts';

/** What is counted against toll fraud: bots that fill forms with numbers whose operator shares the fees with them. */
export interface SmsLimits {
  /** Messages to one number within an hour; the next one is refused. (Default: 10) */
  readonly perRecipient?: number;
  /** Numbers of one block of a thousand within an hour; the next number is refused. (Default: 10) */
  readonly perRange?: number;
}

/** Numbers that look like toll fraud: a send was refused. */
export interface SmsSuspicion {
  readonly workspaceId: string;
  /** `recipient`: one number. `range`: a block of a thousand. */
  readonly kind: 'recipient' | 'range';
  /** The block, as the beginning of its numbers. */
  readonly range: string;
}

/** Options of `smsPlugin`. */
export interface SmsPluginOptions {
  readonly limits?: SmsLimits;
  /**
   * Hours in which reminders wait, by the recipient's clock, in workspaces that set none. (Default: from 21:00 to 08:00)
   */
  readonly quietHours?: QuietHours | null;
  /** Called, beside the log, for each refused send that looks like toll fraud. Must return at once. */
  readonly onSuspicion?: (suspicion: SmsSuspicion) => void;
}

/** The options with their defaults. */
export interface SmsRules {
  readonly perRecipient: number;
  readonly perRange: number;
  readonly quietHours: QuietHours | null;
  readonly report: (suspicion: SmsSuspicion) => void;
}

const clock = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Whether both times are written as HH:MM. */
export const areHours = ({ from, to }: QuietHours): boolean => clock.test(from) && clock.test(to);

/** @throws TypeError for a limit below 1, or hours that are none */
export function smsRules({
  limits = {},
  quietHours = { from: '21:00', to: '08:00' },
  onSuspicion,
}: SmsPluginOptions): SmsRules {
  const { perRecipient = 10, perRange = 10 } = limits;
  for (const [name, value] of Object.entries({ perRecipient, perRange }))
    if (!(value >= 1)) throw new TypeError(`smsPlugin: limits.${name} must be a number of at least 1, or Infinity.`);
  if (quietHours !== null && !areHours(quietHours))
    throw new TypeError("smsPlugin: quietHours are two times as { from: '21:00', to: '08:00' }, or null.");
  return { perRecipient, perRange, quietHours, report: onSuspicion ?? (() => undefined) };
}
