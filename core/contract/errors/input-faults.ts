// Writes the faults of an input as short sentences. Only this file words the validator's faults for callers. Called
// wherever a schema checks a value that came from outside. The sentences never repeat the value.
import type { z } from 'zod';
import { counted } from '../values/counted.ts';
import type { ErrorDetail } from './errors.ts';
import { didYouMean, listKnownNames } from './suggestion.ts';

type Issue = z.core.$ZodIssue;
type RawIssue = z.core.$ZodRawIssue;

/**
 * The first character of the sentences of this file. It marks that their subject is still missing, because a schema inside
 * a union does not know its path. Sentences that a schema declares itself are complete.
 */
const missingSubject = '\0';
const required = `${missingSubject}is required.`;

/** The largest number of values that a sentence lists. */
const maxListed = 20;

/** How many unknown fields of an object get a suggestion. Limited, because a hostile body has thousands of them. */
const maxSuggestions = 20;

/** The names of the known fields, by the issue's list of unknown names. */
const knownFieldsByUnknown = new WeakMap<readonly string[], readonly string[]>();

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  set: 'a list',
  object: 'an object',
  record: 'an object',
  map: 'an object',
  null: 'null',
  date: 'a date',
};

const formatWords: Readonly<Record<string, string>> = {
  email: 'an email address such as name@example.com',
  url: 'a URL such as https://example.com/page',
  datetime: 'a time in ISO 8601, such as 2026-11-20T15:04:05.000Z',
  date: 'a date such as 2026-11-20',
  time: 'a time of day such as 15:04:05',
  duration: 'a duration in ISO 8601, such as P3D',
  uuid: 'a UUID',
  json_string: 'JSON',
};

const joinWithOr = (values: readonly unknown[]): string => {
  const shownValues = values.slice(0, maxListed).map(String);
  if (values.length > maxListed) return `${shownValues.join(', ')} and ${values.length - maxListed} more`;
  return shownValues.length < 2
    ? shownValues.join()
    : `${shownValues.slice(0, -1).join(', ')} or ${shownValues.at(-1)}`;
};

function oneOf(values: readonly unknown[], input: unknown): string {
  const suggestion = typeof input === 'string' && input.length > 2 ? didYouMean(input, values.map(String)) : '';
  return `must be ${values.length > 1 ? 'one of ' : ''}${joinWithOr(values)}.${suggestion}`;
}

/** The unit of a size; undefined for values that are numbers. */
const unitOf = (origin: string): string | undefined => {
  if (origin === 'string') return 'character';
  if (origin === 'array' || origin === 'set' || origin === 'map') return 'item';
  return origin === 'file' ? 'byte' : undefined;
};

function tooSmall({ origin, minimum, inclusive, exact }: z.core.$ZodIssueTooSmall): string {
  const unit = unitOf(origin);
  if (unit === undefined) return `must be ${inclusive === false ? 'more than' : 'at least'} ${minimum}.`;
  if (exact === true) return `must have exactly ${counted(minimum, unit)}.`;
  return minimum === 1 ? 'must not be empty.' : `must have at least ${counted(minimum, unit)}.`;
}

function tooBig({ origin, maximum, inclusive, exact }: z.core.$ZodIssueTooBig): string {
  const unit = unitOf(origin);
  if (unit === undefined) return `must be ${inclusive === false ? 'less than' : 'at most'} ${maximum}.`;
  return `must have ${exact === true ? 'exactly' : 'at most'} ${counted(maximum, unit)}.`;
}

/** A date and time without an offset from UTC. */
const withoutOffset = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?$/;

function wrongFormat({ format, pattern, input }: z.core.$ZodIssueInvalidStringFormat): string {
  if (format === 'datetime' && typeof input === 'string' && withoutOffset.test(input))
    return 'lacks its offset from UTC. End the time with Z, or with an offset such as +02:00.';
  const expected = formatWords[format];
  if (expected !== undefined) return `must be ${expected}.`;
  return pattern === undefined ? `must have the format ${format}.` : `must match the pattern ${pattern}.`;
}

/** The fields of an object schema: ` with a, b`, or an empty string if the schema has no fields. */
function withFields({ inst, input }: RawIssue): string {
  const { shape = {} } = (inst?._zod.def ?? {}) as { shape?: object };
  const names = Object.keys(shape).slice(0, 6);
  if (names.length === 0) return '';
  const fields = ` with ${names.join(', ')}`;
  if (typeof input !== 'string' || !('email' in shape)) return fields;
  return `${fields}, such as { "email": "name@example.com"${'name' in shape ? ', "name": "Ada"' : ''} }`;
}

const timeAsText = `must be a string: ${formatWords['datetime']}`;
const dateForText = `${timeAsText}, which toISOString() of a date gives.`;

/** The sentence about a value that must be a string. */
function textFault({ inst, input }: RawIssue): string {
  if (input instanceof Date) return dateForText;
  const { format } = (inst?._zod.def ?? {}) as { format?: unknown };
  if (format === 'datetime') return `${timeAsText}.`;
  const isMailbox = typeof input === 'object' && input !== null && 'email' in input;
  return isMailbox ? 'must be a string: the address alone, such as name@example.com.' : 'must be a string.';
}

const acceptsText = (branch: readonly Issue[]): boolean =>
  branch.some((issue) => issue.code === 'invalid_type' && issue.expected === 'string');

/** The sentence about an issue, without its subject; undefined to keep the schema's own message. */
function sentenceOf(issue: RawIssue): string | undefined {
  if (issue.code !== 'unrecognized_keys' && issue.input === undefined) return 'is required.';
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'string') return textFault(issue);
      if (issue.expected === 'object') return `must be an object${withFields(issue)}.`;
      return `must be ${typeWords[issue.expected] ?? `of the type ${issue.expected}`}.`;
    case 'too_small':
      return tooSmall(issue as z.core.$ZodIssueTooSmall);
    case 'too_big':
      return tooBig(issue as z.core.$ZodIssueTooBig);
    case 'invalid_format':
      return wrongFormat(issue as z.core.$ZodIssueInvalidStringFormat);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}.`;
    case 'invalid_value':
      return oneOf(issue.values, issue.input);
    case 'invalid_union':
      if ('options' in issue && Array.isArray(issue.options)) {
        const { input, discriminator } = issue as { input?: Record<string, unknown>; discriminator?: string };
        const kind = discriminator === undefined ? undefined : input?.[discriminator];
        return kind === undefined ? 'is required.' : oneOf(issue.options, kind);
      }
      if (issue.input instanceof Date && issue.errors.some(acceptsText)) return dateForText;
      return 'has none of the accepted forms.';
    case 'unrecognized_keys': {
      const { shape } = (issue.inst?._zod.def ?? {}) as { shape?: object };
      if (shape !== undefined) knownFieldsByUnknown.set(issue.keys as string[], Object.keys(shape));
      return undefined;
    }
    default:
      return 'is not valid.';
  }
}

const writeSentence = (issue: RawIssue): string | undefined => {
  const sentence = sentenceOf(issue);
  return sentence === undefined ? undefined : missingSubject + sentence;
};

const lacksSubject = (message: string): boolean => message.startsWith(missingSubject);

/** The sentence with its subject: the dotted path, or the name of the whole input. */
const withSubject = (message: string, subject: string): string =>
  lacksSubject(message) ? `${subject} ${message.slice(missingSubject.length)}` : message;

/** Whether a branch of a union refuses the value as a whole, because of its type. */
const refusesType = (issues: readonly Issue[]): boolean =>
  issues.some(({ path, code }) => path.length === 0 && (code === 'invalid_type' || code === 'invalid_value'));

/** Whether the issue is about a field with the schema `never`: the field must not exist. */
const isForbidden = (issue: Issue): boolean => issue.code === 'invalid_type' && issue.expected === 'never';

const unknownFields = (issue: Issue): number =>
  issue.code === 'unrecognized_keys' ? issue.keys.length : isForbidden(issue) ? 1 : 0;

/** How far the value is from a branch. An unknown field counts twice: it is a strong sign that another branch was meant. */
function distanceTo(branch: readonly Issue[]): number {
  const unknownCount = branch.reduce((sum, issue) => sum + unknownFields(issue), 0);
  const otherFaultCount = branch.filter((issue) => unknownFields(issue) === 0).length;
  // If two branches are equally far, the branch with fewer unknown fields wins.
  return 2 * unknownCount + otherFaultCount + unknownCount / 1_000_000;
}

/** The branch that the value was probably meant for; undefined if two branches are equally near. */
function closest(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const [nearest, second] = branches
    .map((branch) => ({ branch, distance: distanceTo(branch) }))
    .sort((a, b) => a.distance - b.distance);
  return nearest?.distance === second?.distance ? undefined : nearest?.branch;
}

const mustBe = `${missingSubject}must be `;

/** The sentence if no branch of a union accepts the type of the value: `must be a string or a list.` */
function eitherType(branches: readonly (readonly Issue[])[]): string | undefined {
  const messages = branches.map(([issue]) => issue?.message ?? '');
  if (messages.length === 0 || !messages.every((message) => /^[^.?]*\.$/.test(message) && message.startsWith(mustBe)))
    return undefined;
  return `${mustBe}${joinWithOr([...new Set(messages.map((message) => message.slice(mustBe.length, -1)))])}.`;
}

/** The end of the sentence about an unknown field if the known fields are not available or were already listed. */
export const checkSpelling = ' Check its spelling, or leave it out.';

function detailsOf(issue: Issue, prefix: readonly PropertyKey[], valueName: string): ErrorDetail[] {
  const keys = [...prefix, ...issue.path];
  const path = keys.map(String).join('.');
  const subject = path === '' ? valueName : path;
  if (issue.code === 'unrecognized_keys') {
    const otherFields = (knownFieldsByUnknown.get(issue.keys) ?? []).filter((name) => !issue.keys.includes(name));
    // Only the first unknown field without a similar known field lists all known fields.
    let knownFields = listKnownNames(otherFields);
    return issue.keys.map((key, index) => {
      const suggestion = index < maxSuggestions ? didYouMean(key, otherFields) : '';
      const hint = suggestion || (knownFields === undefined ? checkSpelling : ` ${knownFields}`);
      if (suggestion === '') knownFields = undefined;
      return {
        path: path === '' ? key : `${path}.${key}`,
        code: 'unknown_field',
        message: `There is no field ${key} here.${hint}`,
      };
    });
  }
  if (isForbidden(issue)) {
    const name = String(keys.at(-1) ?? valueName);
    return [{ path, code: 'unknown_field', message: `There is no field ${name} here.${checkSpelling}` }];
  }
  if (issue.message === required) return [{ path, code: 'required', message: withSubject(required, subject) }];
  if (issue.code === 'invalid_union' && lacksSubject(issue.message)) {
    const possibleBranches = issue.errors.filter((branch) => !refusesType(branch));
    const closestBranch = closest(possibleBranches);
    if (closestBranch !== undefined) return closestBranch.flatMap((inner) => detailsOf(inner, keys, valueName));
    const message = (possibleBranches.length === 0 ? eitherType(issue.errors) : undefined) ?? issue.message;
    return [{ path, code: issue.code, message: withSubject(message, subject) }];
  }
  if (issue.code === 'invalid_key' && lacksSubject(issue.message)) {
    const [inner] = issue.issues;
    return [{ path, code: issue.code, message: withSubject(inner?.message ?? issue.message, 'The name') }];
  }
  return [{ path, code: declaredCode(issue) ?? issue.code, message: withSubject(issue.message, subject) }];
}

/** The code that a schema gives to its own fault: `addIssue({ code: 'custom', params: { code: 'reserved_name' } })`. */
function declaredCode(issue: Issue): string | undefined {
  const code: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  return typeof code === 'string' ? code : undefined;
}

const undefinedValue = 'is undefined. Give a value, or leave the field out if it is optional.';

/** Whether the required field exists with the value undefined. Objects of a program can have such a field; JSON cannot. */
function isUndefinedAt(value: unknown, { path, message }: Issue): boolean {
  if (message !== required || path.length === 0) return false;
  const parent = path.slice(0, -1).reduce<unknown>((inner, name) => Object(inner)[name], value);
  return Object.hasOwn(Object(parent), path.at(-1) ?? '');
}

/** A checked value, or at least one fault. */
export type Checked<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly faults: readonly ErrorDetail[] };

/**
 * Checks a value and writes each fault as a sentence: `to is required.`
 * @param valueName names the value itself in sentences, such as `The body`. (Default: The input)
 */
export function checkValue<S extends z.ZodType>(
  schema: S,
  value: unknown,
  valueName = 'The input',
): Checked<z.output<S>> {
  const result = schema.safeParse(value, { error: writeSentence });
  if (result.success) return { ok: true, data: result.data };
  // Pushed one by one: there may be more issues than one call of push accepts as arguments.
  const faults: ErrorDetail[] = [];
  // Length checks also run on a value of the wrong type. Only the fault about the type is reported then.
  const wrongTypes = new Set<string>();
  for (const issue of result.error.issues) {
    for (const fault of detailsOf(issue, [], valueName)) {
      if (wrongTypes.has(fault.path)) continue;
      if (fault.code === 'invalid_type') wrongTypes.add(fault.path);
      faults.push(isUndefinedAt(value, issue) ? { ...fault, message: `${fault.path} ${undefinedValue}` } : fault);
    }
  }
  return { ok: false, faults };
}

/** The sentence of a fault, preceded by its path unless the sentence begins with the path. */
export const faultSentence = ({ path, message }: ErrorDetail): string =>
  path === '' || message.startsWith(`${path} `) ? message : `${path}: ${message}`;

/** The largest number of faults that a message names, and the largest number of characters of all of them together. */
const [maxNamed, maxSummary] = [3, 900];

/** The message about several faults: up to three sentences, and the number of further faults. */
export function faultSummary(faults: readonly ErrorDetail[]): string {
  let summary = '';
  let namedCount = 0;
  for (const fault of faults.slice(0, maxNamed)) {
    const sentence = faultSentence(fault);
    if (namedCount > 0 && summary.length + sentence.length >= maxSummary) break;
    summary += namedCount === 0 ? sentence.slice(0, maxSummary) : ` ${sentence}`;
    namedCount += 1;
  }
  return faults.length > namedCount ? `${summary} (and ${faults.length - namedCount} more)` : summary;
}
