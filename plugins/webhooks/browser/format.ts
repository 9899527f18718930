// Times and states in words.
import type { ConsoleDelivery, ConsoleWebhook } from '../console/wire.ts';

const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export const timeOf = (iso: string): string => whole.format(new Date(iso));

/** The text and the colour of a state. */
export interface StateLabel {
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'slow';
}

export function healthOf({ enabled, failing_since }: ConsoleWebhook): StateLabel {
  if (!enabled) return { text: 'Disabled', tone: 'bad' };
  return failing_since === null ? { text: 'Enabled', tone: 'good' } : { text: 'Failing', tone: 'slow' };
}

const states = {
  pending: { text: 'Pending', tone: 'slow' },
  delivered: { text: 'Delivered', tone: 'good' },
  failed: { text: 'Given up', tone: 'bad' },
} as const;

/** A pending delivery with a failed attempt is retried. */
export const stateOf = ({ status, attempts }: ConsoleDelivery): StateLabel =>
  status === 'pending' && attempts.length > 0 ? { text: 'Retrying', tone: 'slow' } : states[status];

/** Indented JSON; any other text stays as it is. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
