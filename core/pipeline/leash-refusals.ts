// The messages for calls that a leash refuses: the exceeded limit, the amount left, and when the limit renews. Called by
// leash.ts.

import type { Operation } from '../contract/declaration/operation.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import type { PostriderError } from '../contract/errors/errors.ts';
import { counted } from '../contract/values/counted.ts';
import type { Leash } from '../contract/values/leash.ts';
import type { LeashLimit } from './leash-windows.ts';

const maxListed = 20;

const units: Readonly<Record<LeashLimit, readonly [unit: string, time: string]>> = {
  sendsPerHour: ['send', 'an hour'],
  recipientsPerDay: ['recipient', 'in 24 hours'],
  creditsPerDay: ['credit', 'in 24 hours'],
};

function refusal(field: keyof Leash, code: string, reason: string): PostriderError {
  return coreErrors.leash_exceeded({ reason }, { details: [{ path: `leash.${field}`, code, message: reason }] });
}

const listWithLimit = (values: readonly string[]): string =>
  values.length > maxListed
    ? `${values.slice(0, maxListed).join(', ')} and ${values.length - maxListed} more`
    : values.join(', ');

/** A call for which a limit has too little left. Without `left`, the call alone is larger than the limit. */
export interface OverLimit {
  readonly name: LeashLimit;
  readonly limit: number;
  /** The amount that the call would add. */
  readonly amount: number;
  readonly left?: number;
  /** When the call would fit. */
  readonly freeAt?: number | undefined;
}

export function limitExceeded({ name, limit, amount, left, freeAt }: OverLimit): PostriderError {
  const [unit, time] = units[name];
  const allowance = `The leash of this key allows ${counted(limit, unit)} ${time}`;
  if (left === undefined || freeAt === undefined)
    return refusal(
      name,
      'too_large',
      `${allowance}, and this call alone counts as ${amount}. Nothing happened. Make the call smaller, or ask for a longer leash.`,
    );
  const remaining = Math.max(0, left);
  const renews = new Date(freeAt).toISOString();
  return refusal(
    name,
    'used_up',
    `${allowance}. ${remaining === 1 ? '1 is' : `${remaining} are`} left, and this call counts as ${amount}. Nothing happened. Enough is left again at ${renews}.`,
  );
}

export const domainNotAllowed = (allowed: readonly string[], domain: string): PostriderError =>
  refusal(
    'recipientDomains',
    'domain_not_allowed',
    `The leash of this key allows email to ${listWithLimit(allowed)} only, and a recipient of this call is at ${domain}. Nothing happened.`,
  );

export const tooManyRecipients = (limit: number, recipients: number): PostriderError =>
  refusal(
    'holdAbove',
    'too_many_recipients',
    `The leash of this key allows calls with ${counted(limit, 'recipient')} at most, and this call has ${recipients}. Nothing happened. Make the call smaller, or ask a person to make it.`,
  );

export function toolNotAllowed({ tools = [] }: Leash, { tool, method, path }: Operation): PostriderError {
  const operationName = tool === undefined ? `${method} ${path}, which is not a tool` : tool.name;
  return refusal(
    'tools',
    'tool_not_allowed',
    `The leash of this key does not include ${operationName}. It includes: ${listWithLimit(tools)}.`,
  );
}
