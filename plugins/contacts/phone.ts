// The phone number of a contact: its attribute `phone`. Pure.
import type { ContactRow } from './tables.ts';

const e164 = /^\+[1-9]\d{4,14}$/;

/** The number, if the attribute is an E.164 number. */
export function phoneOf({ attributes }: Pick<ContactRow, 'attributes'>): string | undefined {
  const { phone } = attributes;
  return typeof phone === 'string' && e164.test(phone) ? phone : undefined;
}
