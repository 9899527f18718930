/**
 * Contract → validator, compiled once per version and called for every send. fastest-validator walks objects and lists; our own
 * checker checks each value. fastest-validator generates code from a schema, so the schema contains only numbers, booleans,
 * checked names and functions.
 */
import Validator from 'fastest-validator';
import { beginning, didYouMean } from '../../../core/unstable.ts';
import { isVariableName } from './check.ts';
import { hasFormat } from './formats.ts';
import type { Contract, ContractNode, ContractType, Scalar } from './node.ts';
import { compilePattern } from './pattern.ts';

export interface VariableFault {
  /** A dotted path that starts with `variables`; elements of a list are named by index. */
  path: string;
  code: string;
  /** Describes the fault without the value. */
  message: string;
}

export interface ValidatedVariables {
  /** A copy with defaults filled in, for storing and rendering if there are no faults. */
  variables: Record<string, unknown>;
  faults: VariableFault[];
}

/** Checks variables against a contract; does not change its input. */
export type VariablesValidator = (variables: unknown) => ValidatedVariables;

// The package is CommonJS and its export is the class, but its types declare a default export.
const Engine = Validator as unknown as typeof Validator.default;

const FAULT_LIMIT = 100;
/**
 * The limit on pattern steps of one call, over all patterns and texts (pattern size times text length). It takes about
 * 40 ms.
 */
const PATTERN_STEP_LIMIT = 1_000_000;

/** The pattern steps that a call has used so far. */
interface Budget {
  patternSteps: number;
}

type Checker = (value: unknown, budget: Budget) => { code: string; message: string } | undefined;

interface Rule {
  type: string;
  optional?: boolean;
  nullable?: boolean;
  [key: string]: unknown;
}

/**
 * Compiles a contract that checkContract accepted.
 * @throws Error if a name is not safe in generated code: such a contract was never checked
 */
export function compileValidator(contract: Contract): VariablesValidator {
  // Messages are empty, because the engine's own ones quote the value, and quoting some values throws.
  const messages = { required: '', object: '', array: '', arrayMin: '', arrayMax: '' };
  const engine = new Engine({ considerNullAsAValue: true, haltOnFirstError: false, messages });
  engine.add('checked', ({ index }: { index: number }) => ({
    source: `context.rules[${Number(index)}].schema.judge(value, field, errors, context.meta); return value;`,
  }));
  const check = engine.compile({ $$root: true, ...ruleOf(contract, true) });
  return (variables) => {
    const faults: VariableFault[] = [];
    const copy = copyValue(contract, variables, 'variables', faults);
    const result: unknown = check(copy, { meta: { patternSteps: 0 } satisfies Budget });
    for (const error of Array.isArray(result) ? result : []) faults.push(readError(error));
    const isObject = typeof copy === 'object' && copy !== null && !Array.isArray(copy);
    return { variables: isObject ? (copy as Record<string, unknown>) : {}, faults: tidyFaults(faults) };
  };
}

function typesOf(node: ContractNode): readonly ContractType[] {
  return Array.isArray(node.type) ? node.type : node.type === undefined ? [] : [node.type];
}

function allows(node: ContractNode, value: Scalar): boolean {
  if (node.enum && !node.enum.includes(value)) return false;
  return !Object.hasOwn(node, 'const') || node.const === value;
}

function ruleOf(node: ContractNode, required: boolean): Rule {
  const nullable = typesOf(node).includes('null') && allows(node, null);
  const requirement = { optional: !required, nullable };
  const types = typesOf(node).filter((type) => type !== 'null');
  const containers = types.filter((type) => type === 'object' || type === 'array');
  const scalars = types.filter((type) => type !== 'object' && type !== 'array');
  const rules = containers.map((type): Rule => (type === 'object' ? objectRule(node) : listRule(node)));
  if (scalars.length > 0 || rules.length === 0)
    rules.push({ type: 'checked', judge: customCheckOf(checkerOf(node, types)) });
  const [only] = rules;
  if (rules.length === 1 && only) return { ...only, ...requirement };
  return { type: 'multi', rules: rules.map((rule) => ({ ...rule, optional: !required, nullable })), ...requirement };
}

function objectRule(node: ContractNode): Rule {
  const properties: [string, Rule][] = Object.entries(node.properties ?? {}).map(([name, child]) => {
    if (!isVariableName(name)) throw new Error('A contract must be checked before it is compiled.');
    return [name, ruleOf(child, node.required?.includes(name) ?? false)];
  });
  return { type: 'object', properties: Object.fromEntries(properties) };
}

function listRule(node: ContractNode): Rule {
  const rule: Rule = { type: 'array' };
  if (typeof node.minItems === 'number') rule['min'] = Number(node.minItems);
  if (typeof node.maxItems === 'number') rule['max'] = Number(node.maxItems);
  if (node.items) rule['items'] = ruleOf(node.items, true);
  return rule;
}

type CustomCheck = (value: unknown, field: string, errors: unknown[], budget: Budget) => void;

function customCheckOf(checker: Checker): CustomCheck {
  return (value, field, errors, budget) => {
    const fault = checker(value, budget);
    if (fault && errors.length < FAULT_LIMIT) errors.push({ type: fault.code, reason: fault.message, field });
  };
}

/** Makes the checker of a text, a number or a boolean from the keywords that apply to it. */
function checkerOf(node: ContractNode, types: readonly ContractType[]): Checker {
  const typeNames = typesOf(node).map((type) => (type === 'integer' ? 'a whole number' : TYPE_WORDS[type]));
  const wrongType = { code: 'type', message: `This must be ${typeNames.join(' or ')}.` };
  const wrongValue = { code: 'enum', message: 'This is not one of the values that the contract allows.' };
  const checkText = textChecker(node);
  const checkNumber = numberChecker(node);
  return (value, budget) => {
    if (typeof value === 'string') {
      if (!types.includes('string')) return wrongType;
      return allows(node, value) ? checkText(value, budget) : wrongValue;
    }
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) return wrongType;
      if (!types.includes('number') && !(types.includes('integer') && Number.isInteger(value))) return wrongType;
      return allows(node, value) ? checkNumber(value) : wrongValue;
    }
    if (typeof value !== 'boolean' || !types.includes('boolean')) return wrongType;
    return allows(node, value) ? undefined : wrongValue;
  };
}

const TYPE_WORDS: Readonly<Record<ContractType, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  object: 'an object',
};

/** The length of a text as JSON Schema counts it, in code points. */
function countCodePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if ((text.codePointAt(index) ?? 0) > 0xffff) {
      count--;
      index++;
    }
  }
  return count;
}

function textChecker({ minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format }: ContractNode) {
  const compiled = pattern === undefined ? undefined : compilePattern(pattern);
  const isBounded = minLength > 0 || maxLength < Number.POSITIVE_INFINITY;
  return (text: string, budget: Budget) => {
    if (isBounded) {
      const length = countCodePoints(text);
      if (length < minLength)
        return { code: 'min_length', message: `This must have at least ${minLength} characters.` };
      if (length > maxLength) return { code: 'max_length', message: `This must have at most ${maxLength} characters.` };
    }
    if (format && !hasFormat(format, text)) return { code: 'format', message: `This must be of the format ${format}.` };
    if (!compiled) return undefined;
    budget.patternSteps += text.length * compiled.size;
    if (budget.patternSteps > PATTERN_STEP_LIMIT)
      return { code: 'too_large', message: 'This text is too long to be checked against the pattern.' };
    return compiled.test(text) ? undefined : { code: 'pattern', message: `This must match the pattern ${pattern}.` };
  };
}

function numberChecker(node: ContractNode) {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = node;
  return (value: number) => {
    if (minimum !== undefined && value < minimum)
      return { code: 'minimum', message: `This must be ${minimum} or more.` };
    if (maximum !== undefined && value > maximum)
      return { code: 'maximum', message: `This must be ${maximum} or less.` };
    if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
      return { code: 'exclusive_minimum', message: `This must be more than ${exclusiveMinimum}.` };
    }
    if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
      return { code: 'exclusive_maximum', message: `This must be less than ${exclusiveMaximum}.` };
    }
    return undefined;
  };
}

/** Lists the known names, for a message about a name that resembles no known name. */
function knownNames(properties: object): string {
  const names = Object.keys(properties);
  if (names.length === 0) return '';
  return ` It knows ${names.slice(0, 10).join(', ')}${names.length > 10 ? ' and more' : ''}.`;
}

/** Copies a value along the contract: fills in defaults, and reports members that the contract does not declare. */
function copyValue(node: ContractNode, value: unknown, path: string, faults: VariableFault[]): unknown {
  if (Array.isArray(value)) {
    const { items } = node;
    return items ? value.map((item, index) => copyValue(items, item, `${path}.${index}`, faults)) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  const properties = node.properties ?? {};
  const isObject = typesOf(node).includes('object');
  for (const name of Object.keys(value)) {
    const item = (value as Readonly<Record<string, unknown>>)[name];
    const child = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (child) copy[name] = copyValue(child, item, `${path}.${name}`, faults);
    else if (node.additionalProperties === true && !(name in Object.prototype)) copy[name] = item;
    else if (isObject && faults.length < FAULT_LIMIT) {
      faults.push({
        path: `${path}.${beginning(name, 80)}`,
        code: 'unknown',
        message: `The contract has no such variable.${didYouMean(name, Object.keys(properties)) || knownNames(properties)}`,
      });
    }
  }
  for (const name of Object.keys(properties)) {
    const child = properties[name];
    if (child?.default !== undefined && copy[name] === undefined) {
      copy[name] = copyValue(child, structuredClone(child.default), `${path}.${name}`, faults);
    }
  }
  return copy;
}

const MESSAGES: Readonly<Record<string, readonly [string, string]>> = {
  object: ['type', 'This must be an object.'],
  array: ['type', 'This must be a list.'],
  arrayMin: ['min_items', 'This list must have at least {expected} elements.'],
  arrayMax: ['max_items', 'This list must have at most {expected} elements.'],
};

/**
 * If several types are allowed, the checkers of the other types report faults too. The faults inside the matching type
 * are more helpful, so they are kept.
 */
function tidyFaults(faults: readonly VariableFault[]): VariableFault[] {
  const firstFaults = faults.slice(0, FAULT_LIMIT);
  return firstFaults.filter(({ path, code }, index) => {
    const laterFaults = firstFaults.slice(index + 1);
    if (laterFaults.some((other) => other.path === path && other.code === code)) return false;
    return code !== 'type' || !firstFaults.some((other) => other.path.startsWith(`${path}.`));
  });
}

interface EngineError {
  type: string;
  field?: string | undefined;
  /** Set by our own checkers. */
  reason?: string | undefined;
  expected?: unknown;
  actual?: unknown;
}

function readError(error: unknown): VariableFault {
  const { type, field, reason, expected, actual } = error as EngineError;
  const steps = (field ?? '').replace(/\['([^']*)'\]|\[(\d+)\]/g, (_, name, index) => `.${name ?? index}`);
  const path = steps === '' ? 'variables' : `variables.${steps.replace(/^\./, '')}`;
  if (type === 'required') {
    return actual === null
      ? { path, code: 'type', message: 'This must not be null.' }
      : { path, code: 'required', message: 'This is required.' };
  }
  const codeAndMessage = Object.hasOwn(MESSAGES, type) ? MESSAGES[type] : undefined;
  if (reason !== undefined || !codeAndMessage) return { path, code: type, message: reason ?? 'This is not accepted.' };
  return { path, code: codeAndMessage[0], message: codeAndMessage[1].replace('{expected}', String(Number(expected))) };
}

/**
 * Fills variables for rendering: an optional variable that the caller left out becomes null, so it prints nothing. Do
 * not use the result for anything else, because the caller did not send null.
 */
export function fillAbsent(node: ContractNode, variables: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return fillValue(node, variables) as Record<string, unknown>;
}

function fillValue(node: ContractNode, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = node;
    return items && (items.properties || items.items) ? value.map((item) => fillValue(items, item)) : value;
  }
  if (typeof value !== 'object' || value === null || !node.properties) return value;
  const filled: Record<string, unknown> = { ...value };
  for (const name of Object.keys(node.properties)) {
    const child = node.properties[name];
    if (child !== undefined) filled[name] = filled[name] === undefined ? null : fillValue(child, filled[name]);
  }
  return filled;
}
