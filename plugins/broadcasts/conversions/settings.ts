// The workspace's setting `conversions`: which custom events count as a success of a mail, and for how long.
import { z } from '../../../core/index.ts';
import { exactDurationMs } from '../../../core/unstable.ts';

/** A custom event that counts as a conversion. */
export interface ConversionSetting {
  /** The type of the custom event, such as order.placed. */
  readonly eventType: string;
  /** The path of the value in the event, such as event.metadata.total. (Default: its conversions have no value) */
  readonly value?: string | undefined;
  /** The path of the currency in the event; the currency has three letters (ISO 4217). (Default: the currency is not known) */
  readonly currency?: string | undefined;
  /** The time after a click or a delivery in which the event counts, as ISO 8601: 1 minute to 90 days, without months. (Default: P7D) */
  readonly within?: string | undefined;
}

const maxSettings = 20;
const minuteMs = 60_000;
const maxMs = 90 * 86_400_000;
const defaultMs = 7 * 86_400_000;

const path = z
  .string()
  .max(500)
  .regex(/^event\.metadata\.[^\s.]{1,64}(\.[^\s.]{1,64}){0,9}$/u, 'A path is event.metadata.x or event.metadata.x.y.')
  .optional();

const within = z
  .string()
  .max(40)
  .refine((text) => {
    const ms = exactDurationMs(text);
    return ms !== undefined && ms >= minuteMs && ms <= maxMs;
  }, 'This is not an ISO 8601 duration of 1 minute to 90 days, such as PT12H or P7D.')
  .optional();

export const conversionsSetting: z.ZodType<readonly ConversionSetting[]> = z
  .array(z.strictObject({ eventType: z.string().min(1).max(200), value: path, currency: path, within }))
  .max(maxSettings)
  .refine(
    (all) => new Set(all.map(({ eventType }) => eventType)).size === all.length,
    'Each eventType has one entry: an event counts once.',
  )
  .readonly();

/** The time after a click or a delivery in which the event counts, in milliseconds. */
export const windowMsOf = ({ within: text }: ConversionSetting): number => exactDurationMs(text ?? '') ?? defaultMs;
