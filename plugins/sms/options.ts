// The options of the SMS plugin. Data only.
import { type QuietHours, quietHoursSchema } from '../../core/unstable.ts';

/** Limits against toll fraud: bots enter numbers into forms, and the operator of the numbers pays the fraudsters a share of the fees. */
export interface SmsLimits {
  /** The maximum number of messages to one number within an hour. Further messages are refused. (Default: 10) */
  readonly perRecipient?: number;
  /** The maximum number of different numbers of one block of a thousand within an hour. Further numbers are refused. (Default: 10) */
  readonly perRange?: number;
}

/** A send that was refused because it looks like toll fraud. */
export interface SmsSuspicion {
  readonly workspaceId: string;
  /** `recipient`: one number. `range`: a block of a thousand. */
  readonly kind: 'recipient' | 'range';
  /** The block, as the prefix of its numbers. */
  readonly range: string;
}

/** Options of `smsPlugin`. */
export interface SmsPluginOptions {
  readonly limits?: SmsLimits;
  /**
   * Hours in which reminders wait, in the recipient's local time, for workspaces that do not set any. (Default: from 21:00 to 08:00)
   */
  readonly quietHours?: QuietHours | null;
  /** Called, in addition to the log, for each refused send that looks like toll fraud. Must return at once. */
  readonly onSuspicion?: (suspicion: SmsSuspicion) => void;
}

/** The options with their defaults. */
export interface SmsRules {
  readonly perRecipient: number;
  readonly perRange: number;
  readonly quietHours: QuietHours | null;
  readonly report: (suspicion: SmsSuspicion) => void;
}

const usualQuietHours: QuietHours = { from: '21:00', to: '08:00' };

/** Whether the value has two different times, each written as HH:MM. */
export const areHours = (hours: QuietHours): boolean => quietHoursSchema.safeParse(hours).success;

/** @throws TypeError if a limit is below 1, or if hours are not valid */
export function smsRules({ limits = {}, quietHours = usualQuietHours, onSuspicion }: SmsPluginOptions): SmsRules {
  const { perRecipient = 10, perRange = 10 } = limits;
  for (const [name, value] of Object.entries({ perRecipient, perRange }))
    if (!(value >= 1)) throw new TypeError(`smsPlugin: limits.${name} must be a number of at least 1, or Infinity.`);
  if (quietHours !== null && quietHours !== usualQuietHours && !areHours(quietHours))
    throw new TypeError("smsPlugin: quietHours are two different times as { from: '21:00', to: '08:00' }, or null.");
  return { perRecipient, perRange, quietHours, report: onSuspicion ?? (() => undefined) };
}
