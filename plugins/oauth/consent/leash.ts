// The limits for a client that a member chooses on the consent page: the form fields, the program's ceiling, and the sentences
// that describe the limits. Pure.
import { hostName, type Leash } from '../../../core/index.ts';
import { canonicalLeash, leashSchema } from '../../../core/unstable.ts';

/** The program's ceiling, checked, in its canonical form. @throws TypeError that names the fault */
export function checkCeiling(ceiling: Leash): Leash {
  if (Object.keys(ceiling).length === 0) return ceiling;
  const { success, data, error } = leashSchema.safeParse(ceiling);
  if (success) return canonicalLeash(data);
  const [issue] = error.issues;
  throw new TypeError(
    `oauthPlugin: consent.ceiling is not valid${issue === undefined ? '' : ` (${issue.path.join('.')}: ${issue.message})`}. It takes ${Object.keys(leashSchema.shape).join(', ')}.`,
  );
}

/** A limit that is a number. */
export interface NumberLimit {
  readonly name: 'sendsPerHour' | 'recipientsPerDay' | 'creditsPerDay' | 'holdAbove';
  readonly label: string;
  readonly hint: string;
  /** The value that the page suggests if the client may send. */
  readonly suggested?: number;
}

export const numberLimits: readonly NumberLimit[] = [
  {
    name: 'sendsPerHour',
    label: 'Messages per hour',
    hint: 'Emails and SMS that it may send within an hour.',
    suggested: 20,
  },
  {
    name: 'recipientsPerDay',
    label: 'Recipients per day',
    hint: 'People that its messages may reach within a day.',
    suggested: 100,
  },
  { name: 'creditsPerDay', label: 'Credits per day', hint: 'Credits of your plan that it may use within a day.' },
  {
    name: 'holdAbove',
    label: 'Approval above',
    hint: 'A broadcast to more recipients than this waits until a member approves it.',
  },
];

/** The durations of access that the page offers, in days. */
export const lifetimes: readonly number[] = [1, 7, 30, 90];

const dayMs = 86_400_000;

/** The number of a limit. */
export const numberOf = (leash: Leash, name: NumberLimit['name']): number | undefined =>
  name === 'holdAbove' ? leash.holdAbove?.recipients : leash[name];

/** The texts that a member typed, by field. */
export type LeashValues = Readonly<Record<string, string>>;

/** The fields of the form. */
export const leashFields = [...numberLimits.map(({ name }) => name), 'recipientDomains', 'tools', 'expiresIn'] as const;

/** The values when the page opens. */
export function firstValues(ceiling: Leash, canSend: boolean): LeashValues {
  const numbers = numberLimits.map(({ name, suggested }) => {
    const maximum = numberOf(ceiling, name);
    const suggestedValue = canSend && suggested !== undefined ? Math.min(suggested, maximum ?? suggested) : maximum;
    return [name, suggestedValue === undefined ? '' : String(suggestedValue)] as const;
  });
  return {
    ...Object.fromEntries(numbers),
    recipientDomains: ceiling.recipientDomains?.join(', ') ?? '',
    tools: ceiling.tools?.join(', ') ?? '',
    expiresIn: '',
  };
}

const listOf = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter((part) => part !== ''))];

/** `@Example.com` becomes `example.com`; undefined for a text that is not a domain. */
function domainOf(text: string): string | undefined {
  const name = hostName(text.replace(/^@/, ''));
  return name?.includes('.') === true ? name : undefined;
}

/** Faults by field. */
export type LeashFaults = ReadonlyMap<string, string>;

interface Reading {
  readonly values: LeashValues;
  readonly ceiling: Leash;
  readonly faults: Map<string, string>;
}

/** An empty field gets the value of the ceiling. */
function readNumber({ values, ceiling, faults }: Reading, name: NumberLimit['name']): number | undefined {
  const maximum = numberOf(ceiling, name);
  const text = (values[name] ?? '').trim();
  if (text === '') return maximum;
  if (!/^\d{1,9}$/.test(text)) faults.set(name, 'Enter a whole number, or leave it empty.');
  else if (maximum !== undefined && Number(text) > maximum) faults.set(name, `At most ${maximum} is possible here.`);
  return Number(text);
}

function readList(
  { values, ceiling, faults }: Reading,
  name: 'recipientDomains' | 'tools',
  normalise: (text: string) => string | undefined,
): string[] | undefined {
  const allowed = ceiling[name];
  const entries = listOf(values[name] ?? '');
  if (entries.length === 0) return allowed;
  const normalised = entries.map((text) => normalise(text));
  const unknown = entries.find((_, index) => normalised[index] === undefined);
  const list = normalised.filter((one) => one !== undefined);
  const disallowed = allowed === undefined ? undefined : list.find((one) => !allowed.includes(one));
  if (unknown !== undefined)
    faults.set(name, `${unknown.slice(0, 100)} is not ${name === 'tools' ? 'a tool of this service' : 'a domain'}.`);
  else if (disallowed !== undefined) faults.set(name, `${disallowed} is not possible here.`);
  else if (list.length > 100) faults.set(name, 'At most 100 are possible.');
  return list;
}

function readEnd({ values, ceiling, faults }: Reading, now: number): string | undefined {
  const text = values['expiresIn'] ?? '';
  if (text === '') return ceiling.expiresAt;
  const days = lifetimes.find((one) => String(one) === text);
  if (days === undefined) {
    faults.set('expiresIn', 'Choose one of the times.');
    return undefined;
  }
  const latestEnd = ceiling.expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(ceiling.expiresAt);
  return new Date(Math.min(now + days * dayMs, latestEnd)).toISOString();
}

/** The leash that a member chose, never looser than the ceiling. */
export function readLeash(
  values: LeashValues,
  ceiling: Leash,
  now: number,
  tools: ReadonlySet<string>,
): { readonly leash: Leash; readonly faults: LeashFaults } {
  const faults = new Map<string, string>();
  const reading: Reading = { values, ceiling, faults };
  const recipients = readNumber(reading, 'holdAbove');
  const limits = {
    sendsPerHour: readNumber(reading, 'sendsPerHour'),
    recipientsPerDay: readNumber(reading, 'recipientsPerDay'),
    creditsPerDay: readNumber(reading, 'creditsPerDay'),
    recipientDomains: readList(reading, 'recipientDomains', domainOf),
    tools: readList(reading, 'tools', (text) => (tools.has(text) ? text : undefined)),
    expiresAt: readEnd(reading, now),
    holdAbove: recipients === undefined ? undefined : { recipients },
  };
  const givenLimits = Object.entries(limits).filter(([, value]) => value !== undefined);
  return { leash: Object.fromEntries(givenLimits), faults };
}

const counted = (amount: number, one: string, more: string): string => `${amount} ${amount === 1 ? one : more}`;

/** The limits as short sentences. Unknown limits are left out. */
export function leashWords(leash: Leash | null): string[] {
  const limits = leashSchema.safeParse(leash ?? {}).data ?? {};
  const { sendsPerHour, recipientsPerDay, creditsPerDay, recipientDomains, tools, expiresAt, holdAbove } = limits;
  return [
    ...(sendsPerHour === undefined ? [] : [`${counted(sendsPerHour, 'message', 'messages')} per hour`]),
    ...(recipientsPerDay === undefined ? [] : [`${counted(recipientsPerDay, 'recipient', 'recipients')} per day`]),
    ...(creditsPerDay === undefined ? [] : [`${counted(creditsPerDay, 'credit', 'credits')} per day`]),
    ...(holdAbove === undefined
      ? []
      : [`broadcasts to more than ${counted(holdAbove.recipients, 'recipient', 'recipients')} wait for approval`]),
    ...(recipientDomains === undefined ? [] : [`only recipients at ${recipientDomains.join(', ')}`]),
    ...(tools === undefined ? [] : [`only the tools ${tools.join(', ')}`]),
    ...(expiresAt === undefined ? [] : [`ends on ${expiresAt.slice(0, 10)}`]),
  ];
}
