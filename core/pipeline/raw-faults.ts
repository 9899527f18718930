// Checks of an input that schemas cannot make: its size and depth, and values that no database or JSON can contain. Called by
// validate.ts before any schema runs; walks every value once and never past its limits.
import type { ErrorDetail } from '../contract/errors/errors.ts';

/** Nesting levels of an input; a deeper one would exhaust the stack of recursive code. */
const maxDepth = 64;
/** Values in one input, at any depth: the cost of validation grows with them. */
export const maxValues = 100_000;
/** Members of one object. A schema without free names reports each unknown member as a fault. */
const maxMembers = 10_000;

/** NUL, which no database accepts in text, and an unpaired surrogate, which UTF-8 cannot encode. */
const unwritable = /[\0\p{Cs}]/u;

/** How much of `maxValues` is left. */
interface Allowance {
  values: number;
}

const fault = (code: string, message: string, path = ''): ErrorDetail => ({ path, code, message });

/** The fault of an input with more values than `maxValues`. */
export const tooManyValues = fault('too_large', `A request holds at most ${maxValues} values.`);

/** The same fault, with the name of the surrounding member added to its path. */
function within(name: string, found: ErrorDetail | undefined): ErrorDetail | undefined {
  return found && { ...found, path: found.path === '' ? name : `${name}.${found.path}` };
}

function scalarFault(value: unknown): ErrorDetail | undefined {
  if (typeof value === 'string' && unwritable.test(value))
    return fault('text_invalid', 'Text must not contain NUL characters or half surrogate pairs.');
  if (Number.isNaN(value)) return fault('number_invalid', 'NaN is not a number that JSON text or a database holds.');
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
    return fault('number_invalid', 'The number is too large: no JSON text and no database holds it.');
  return undefined;
}

function membersFault(members: object, levels: number, left: Allowance): ErrorDetail | undefined {
  const names = Object.keys(members);
  if (names.length > maxMembers) return fault('too_large', `An object has at most ${maxMembers} members.`);
  for (const name of names) {
    if (name === '__proto__') return fault('unknown_field', 'There is no field __proto__ here. Leave it out.', name);
    const found = scalarFault(name) ?? faultOf((members as Record<string, unknown>)[name], levels - 1, left);
    if (found !== undefined) return within(name, found);
  }
  return undefined;
}

function faultOf(value: unknown, levels: number, left: Allowance): ErrorDetail | undefined {
  left.values -= 1;
  if (left.values < 0) return tooManyValues;
  if (typeof value !== 'object' || value === null) return scalarFault(value);
  // Bytes exist in in-process calls only and contain no values of their own.
  if (ArrayBuffer.isView(value)) return undefined;
  if (levels === 0) return fault('too_deep', `The request is nested deeper than ${maxDepth} levels.`);
  if (!Array.isArray(value)) return membersFault(value, levels, left);
  for (let index = 0; index < value.length; index += 1) {
    const found = faultOf(value[index], levels - 1, left);
    if (found !== undefined) return within(String(index), found);
  }
  return undefined;
}

/** The first fault in the parts of an input, with its path; undefined when the schema can run. */
export function findRawFault(...parts: readonly unknown[]): ErrorDetail | undefined {
  const left: Allowance = { values: maxValues };
  for (const part of parts) {
    const found = faultOf(part, maxDepth, left);
    if (found !== undefined) return found;
  }
  return undefined;
}
