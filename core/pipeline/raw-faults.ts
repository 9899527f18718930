// What no schema sees of an input: how much and how deep it is, and values that no database and no JSON can hold.
// Called by validate.ts before any schema looks; walks everything once and never deeper or further than its limits.
import type { ErrorDetail } from '../contract/errors.ts';

/** Levels of an input; deeper ones would exhaust the stack of whoever walks them. */
const maxDepth = 64;
/** Values of one input, however they are nested: what checking it costs grows with them. */
export const maxValues = 100_000;
/** Members of one object. A schema of free names tells of each one that it refuses. */
const maxMembers = 10_000;

/** NUL, which no database takes in text, and half a surrogate pair, which UTF-8 cannot write and would change. */
const unwritable = /[\0\p{Cs}]/u;

/** What is left of `maxValues`. */
interface Allowance {
  values: number;
}

const fault = (code: string, message: string, path = ''): ErrorDetail => ({ path, code, message });

/** Of an input with more values than `maxValues`. */
export const tooManyValues = fault('too_large', `A request holds at most ${maxValues} values.`);

/** The same fault, seen from outside the member that it is in. */
function within(name: string, found: ErrorDetail | undefined): ErrorDetail | undefined {
  return found && { ...found, path: found.path === '' ? name : `${name}.${found.path}` };
}

function scalarFault(value: unknown): ErrorDetail | undefined {
  if (typeof value === 'string' && unwritable.test(value))
    return fault('text_invalid', 'Text holds no NUL characters and no half surrogate pairs.');
  if (typeof value === 'number' && !Number.isFinite(value))
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
  // Bytes come in process only and hold no values of their own.
  if (ArrayBuffer.isView(value)) return undefined;
  if (levels === 0) return fault('too_deep', `The request is nested deeper than ${maxDepth} levels.`);
  if (!Array.isArray(value)) return membersFault(value, levels, left);
  for (let index = 0; index < value.length; index += 1) {
    const found = faultOf(value[index], levels - 1, left);
    if (found !== undefined) return within(String(index), found);
  }
  return undefined;
}

/** The first fault of the parts of an input, its path as a detail names it; undefined when a schema may look. */
export function findRawFault(...parts: readonly unknown[]): ErrorDetail | undefined {
  const left: Allowance = { values: maxValues };
  for (const part of parts) {
    const found = faultOf(part, maxDepth, left);
    if (found !== undefined) return found;
  }
  return undefined;
}
