// Checks of an input that schemas cannot make: its size and depth, and values that no database or JSON can contain. Called by
// validate.ts before any schema runs. Visits every value at most once, and stops at its limits.
import type { ErrorDetail } from '../contract/errors/errors.ts';

/** The largest number of nesting levels of an input. Deeper input would exhaust the stack of recursive code. */
const maxDepth = 64;
/** The largest number of values in one input, at any depth, because the cost of validation grows with their number. */
export const maxValues = 100_000;
/** The largest number of members of one object, because a strict schema reports each unknown member as a fault. */
const maxMembers = 10_000;

/** NUL, which no database accepts in text, and an unpaired surrogate, which UTF-8 cannot encode. */
const unwritablePattern = /[\0\p{Cs}]/u;

/** The number of further values that the input may have. */
interface Allowance {
  values: number;
}

const fault = (code: string, message: string, path = ''): ErrorDetail => ({ path, code, message });

/** The fault of an input with more values than `maxValues`. */
export const tooManyValues = fault('too_large', `A request must not have more than ${maxValues} values.`);

/** The same fault, with the name of the surrounding member added to its path. */
function withName(name: string, innerFault: ErrorDetail | undefined): ErrorDetail | undefined {
  return innerFault && { ...innerFault, path: innerFault.path === '' ? name : `${name}.${innerFault.path}` };
}

function scalarFault(value: unknown): ErrorDetail | undefined {
  if (typeof value === 'string' && unwritablePattern.test(value))
    return fault('text_invalid', 'Text must not contain NUL characters or half surrogate pairs.');
  if (Number.isNaN(value)) return fault('number_invalid', 'NaN is not a number that JSON text or a database holds.');
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
    return fault('number_invalid', 'The number is too large: JSON and databases cannot store it.');
  return undefined;
}

function membersFault(members: object, levels: number, allowance: Allowance): ErrorDetail | undefined {
  const names = Object.keys(members);
  if (names.length > maxMembers) return fault('too_large', `An object has at most ${maxMembers} members.`);
  for (const name of names) {
    if (name === '__proto__') return fault('unknown_field', 'There is no field __proto__ here. Leave it out.', name);
    const memberFault = scalarFault(name) ?? faultOf((members as Record<string, unknown>)[name], levels - 1, allowance);
    if (memberFault !== undefined) return withName(name, memberFault);
  }
  return undefined;
}

function faultOf(value: unknown, levels: number, allowance: Allowance): ErrorDetail | undefined {
  allowance.values -= 1;
  if (allowance.values < 0) return tooManyValues;
  if (typeof value !== 'object' || value === null) return scalarFault(value);
  // Bytes exist in in-process calls only and contain no values of their own.
  if (ArrayBuffer.isView(value)) return undefined;
  if (levels === 0) return fault('too_deep', `The request is nested deeper than ${maxDepth} levels.`);
  if (!Array.isArray(value)) return membersFault(value, levels, allowance);
  for (let index = 0; index < value.length; index += 1) {
    const itemFault = faultOf(value[index], levels - 1, allowance);
    if (itemFault !== undefined) return withName(String(index), itemFault);
  }
  return undefined;
}

/** The first fault in the parts of an input, with its path; undefined when the schema can run. */
export function findRawFault(...parts: readonly unknown[]): ErrorDetail | undefined {
  const allowance: Allowance = { values: maxValues };
  for (const part of parts) {
    const partFault = faultOf(part, maxDepth, allowance);
    if (partFault !== undefined) return partFault;
  }
  return undefined;
}
