// Checks phone numbers with the world's numbering plans (libphonenumber's full metadata, which knows kinds of numbers). Pure.
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** A number to which SMS can be sent. */
export interface Phone {
  /** E.164, such as +14155550100. */
  readonly number: string;
  /** ISO 3166-1 alpha-2; undefined for numbers without a country, such as satellite phones. */
  readonly country: string | undefined;
}

/** The outcome of a check: the number, or why it is not valid, as the end of a sentence. */
export type PhoneCheck = { readonly ok: true; readonly phone: Phone } | { readonly ok: false; readonly reason: string };

/** Kinds of numbers that cost their callers extra. Toll fraud uses them. */
const extraCostTypes: ReadonlySet<string> = new Set(['PREMIUM_RATE', 'SHARED_COST', 'UAN', 'PERSONAL_NUMBER']);

const e164 = /^\+[1-9]\d{4,14}$/;

const refuse = (reason: string): PhoneCheck => ({ ok: false, reason });

/** Checks an E.164 number against the numbering plan of its country. */
export function checkPhone(text: string): PhoneCheck {
  if (!e164.test(text))
    return refuse('is not written as E.164: a plus, the country code and the number, as +14155550100');
  const parsed = parsePhoneNumberFromString(text);
  // If parsing changes the text, such as by dropping a leading zero of the national number, the text was not E.164.
  if (parsed === undefined || parsed.number !== text || !parsed.isValid())
    return refuse("does not exist in its country's numbering plan");
  const type = parsed.getType();
  if (type !== undefined && extraCostTypes.has(type))
    return refuse('belongs to a service that costs its callers extra, and takes no messages');
  return { ok: true, phone: { number: parsed.number, country: parsed.country } };
}

/** The country of a number; undefined for other texts, such as a sender's name. */
export function countryOf(text: string): string | undefined {
  const checked = checkPhone(text);
  return checked.ok ? checked.phone.country : undefined;
}

/** The number of trailing digits that differ within a block. Fraudsters rent numbers in blocks. */
const rangeDigits = 3;

/** The prefix of the block of a thousand numbers that contains a number. */
export const rangeOf = (number: string): string => number.slice(0, -rangeDigits);
