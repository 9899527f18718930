// A leash: the limits of an agent that uses a key of mode mcp or an OAuth grant. Contains the form of a leash, the check of a
// caller's leash, and the comparison with a ceiling. Used by provisioning and by consent pages, which write the checked leash as
// JSON into `api_keys.leash`. It is enforced by core/pipeline/leash.ts.

import type { ErrorDetail } from '../errors/errors.ts';
import { checkValue } from '../errors/input-faults.ts';
import { didYouMean } from '../errors/suggestion.ts';
import { isoTime, toIsoTime } from '../schemas/fields.ts';
import * as z from '../schemas/zod.ts';
import { normaliseAddress, parseAddress } from './addresses.ts';

/** The domain of an address in the form in which domains are compared; undefined for a text that is not an address. */
function domainOfAddress(text: string): string | undefined {
  if (parseAddress(text) === undefined) return undefined;
  const normalised = normaliseAddress(text);
  return normalised.slice(normalised.lastIndexOf('@') + 1);
}

const domainOf = (text: string): string | undefined => domainOfAddress(`postmaster@${text.trim()}`);

/** The domain of the first address outside of the allowed domains. Texts that are not addresses are left out. */
export function outsideDomain(addresses: Iterable<string>, allowed: readonly string[]): string | undefined {
  for (const address of addresses) {
    const domain = domainOfAddress(address);
    if (domain !== undefined && !allowed.includes(domain)) return domain;
  }
  return undefined;
}

const maxAmount = 1_000_000_000;
const amount = z.int().min(0).max(maxAmount).optional();
const lastTime = Date.parse('9999-12-31T23:59:59.999Z');
const expiry = z.iso
  .datetime({ offset: true, abort: true })
  .refine((text) => Date.parse(text) <= lastTime, 'Give a time before the year 10000.');

const fields = {
  sendsPerHour: amount.describe('How many sends the calls of an hour may cause.'),
  recipientsPerDay: amount.describe('How many recipients the calls of 24 hours may reach.'),
  creditsPerDay: amount.describe('How many credits the calls of 24 hours may be charged, or reserve.'),
  recipientDomains: z
    .array(z.string().refine((text) => domainOf(text) !== undefined, 'This is not a domain, such as example.com.'))
    .min(1)
    .max(100)
    .optional()
    .describe('The only domains that email may go to. A domain does not include its subdomains.'),
  tools: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(500)
    .optional()
    .describe('The only tools that may be called. The same operations are allowed over REST.'),
  expiresAt: expiry.optional().describe('The key expires at this time.'),
  holdAbove: z
    .strictObject({ recipients: z.int().min(0).max(maxAmount) })
    .optional()
    .describe(
      'A call with more recipients is refused. If people can decide on such a call, it waits for them instead.',
    ),
};

/** A leash as callers give it. A missing field means no limit. */
export const leashSchema = z.strictObject(fields);

/** A leash as it is stored and shown. */
export type Leash = Readonly<z.output<typeof leashSchema>>;

/** A leash in answers. */
export const leashResource = z.object({ ...fields, expiresAt: isoTime.optional() }).meta({ id: 'Leash' });

/** A checked leash, or one detail for each of its faults. */
export type CheckedLeash =
  | { readonly ok: true; readonly leash: Leash }
  | { readonly ok: false; readonly faults: readonly ErrorDetail[] };

/** The canonical form: domains in lower-case ASCII, the time in UTC, no value twice. */
export function canonicalLeash({ recipientDomains, tools, expiresAt, ...rest }: Leash): Leash {
  const limits = Object.entries(rest).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(limits),
    ...(recipientDomains === undefined
      ? {}
      : { recipientDomains: [...new Set(recipientDomains.map((text) => domainOf(text) ?? text))] }),
    ...(tools === undefined ? {} : { tools: [...new Set(tools)] }),
    ...(expiresAt === undefined ? {} : { expiresAt: toIsoTime(Date.parse(expiresAt)) }),
  };
}

/** Checks a leash and returns its canonical form. `tools`: the names of all tools of the service. */
export function checkLeash(value: unknown, { tools }: { readonly tools: Iterable<string> }): CheckedLeash {
  const checked = checkValue(leashSchema, value, 'The leash');
  if (!checked.ok) return { ok: false, faults: checked.faults };
  const leash = canonicalLeash(checked.data);
  if (Object.keys(leash).length === 0) {
    const message = 'A leash must have at least one field. For no limits, give null.';
    return { ok: false, faults: [{ path: '', code: 'required', message }] };
  }
  const toolNames = [...tools];
  const faults = (leash.tools ?? []).flatMap((name, index) => {
    if (toolNames.includes(name)) return [];
    const message = `There is no tool ${name}.${didYouMean(name, toolNames) || ' tools/list shows all of them.'}`;
    return [{ path: `tools.${index}`, code: 'unknown_tool', message }];
  });
  return faults.length > 0 ? { ok: false, faults } : { ok: true, leash };
}

const amounts = ['sendsPerHour', 'recipientsPerDay', 'creditsPerDay'] as const;
const lists = ['recipientDomains', 'tools'] as const;

/** The smaller of two limits. Undefined means no limit. */
const smaller = (left: number | undefined, right: number | undefined): number | undefined =>
  left === undefined || right === undefined ? (left ?? right) : Math.min(left, right);

/** Takes the stricter value of two leashes in each field, such as of a chosen leash and its ceiling. Null means no leash. */
export function stricterLeash(first: Leash | null, second: Leash | null): Leash | null {
  if (first === null || second === null) return first ?? second;
  const smallerAmounts = amounts.flatMap((name) => {
    const value = smaller(first[name], second[name]);
    return value === undefined ? [] : [[name, value] as const];
  });
  const commonLists = lists.flatMap((name) => {
    const [firstValues, secondValues] = [first[name], second[name]];
    const commonItems =
      firstValues === undefined || secondValues === undefined
        ? (firstValues ?? secondValues)
        : firstValues.filter((item) => secondValues.includes(item));
    return commonItems === undefined ? [] : [[name, commonItems] as const];
  });
  const recipients = smaller(first.holdAbove?.recipients, second.holdAbove?.recipients);
  const [expiresAt] = [first.expiresAt, second.expiresAt].filter((time) => time !== undefined).sort();
  return {
    ...Object.fromEntries(smallerAmounts),
    ...Object.fromEntries(commonLists),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(recipients === undefined ? {} : { holdAbove: { recipients } }),
  };
}
