/**
 * Checks a contract's JSON, keyword by keyword. An accepted contract has known types and a bounded size. The validator
 * compiler relies on that, because a text in the wrong place would run there as code.
 */

import { beginning } from '../../../core/unstable.ts';
import type { ContractNode, ContractType, Scalar } from './node.ts';
import { findPatternFault } from './pattern.ts';

export interface ContractFault {
  /** A dotted path that starts with `variables`. */
  path: string;
  code: ContractFaultCode;
  message: string;
}

export type ContractFaultCode =
  | 'keyword_unknown'
  | 'keyword_misplaced'
  | 'value_invalid'
  | 'type_missing'
  | 'name_forbidden'
  | 'required_unknown'
  | 'bounds_crossed'
  | 'pattern_refused'
  | 'default_invalid'
  | 'too_large';

const DEPTH_LIMIT = 10;
const NODE_LIMIT = 500;
const JSON_LIMIT = 64_000;
const ENUM_LIMIT = 200;
const COUNT_LIMIT = 1_000_000;
const TEXT_LIMIT = 1_000;
const FAULT_LIMIT = 50;

const TYPES: readonly ContractType[] = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'];
const SCALARS: readonly ContractType[] = ['string', 'number', 'integer', 'boolean', 'null'];
const FORMATS: readonly string[] = ['email', 'uri', 'date', 'date-time', 'uuid'];

/** All keywords in the order of the normal form, with the types that they apply to; [] means any type. */
const KEYWORDS: Readonly<Record<string, readonly ContractType[]>> = {
  type: [],
  title: [],
  description: [],
  properties: ['object'],
  required: ['object'],
  additionalProperties: ['object'],
  items: ['array'],
  minItems: ['array'],
  maxItems: ['array'],
  enum: SCALARS,
  const: SCALARS,
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  format: ['string'],
  minimum: ['number', 'integer'],
  maximum: ['number', 'integer'],
  exclusiveMinimum: ['number', 'integer'],
  exclusiveMaximum: ['number', 'integer'],
  default: [],
  examples: [],
  writeOnly: [],
};

const BOUNDS = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minimum', 'maximum'],
] as const;

/** Words that Liquid reads as values or operators, so that a variable cannot have them as its name. */
const LIQUID_WORDS: ReadonlySet<string> = new Set([
  ...['true', 'false', 'nil', 'null', 'empty', 'blank', 'and', 'or', 'not', 'contains', 'forloop'],
]);

/** Whether a variable may have this name: a Liquid identifier that is not a property of Object.prototype. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name) && !(name in Object.prototype) && name !== 'prototype';
}

/** Checks a schema and everything in it. The node is present if there are no faults. */
export function checkNode(json: unknown): { node: ContractNode | undefined; faults: ContractFault[] } {
  const faults: ContractFault[] = [];
  let nodes = 0;
  const fault = (path: string, code: ContractFaultCode, message: string): undefined => {
    if (faults.length < FAULT_LIMIT) faults.push({ path, code, message });
    return undefined;
  };

  function readNode(value: unknown, path: string, depth: number): ContractNode | undefined {
    if (!isRecord(value)) return fault(path, 'value_invalid', 'A schema is a JSON object.');
    nodes++;
    if (nodes === NODE_LIMIT + 1) fault(path, 'too_large', `A contract has at most ${NODE_LIMIT} schemas.`);
    if (nodes > NODE_LIMIT) return undefined;
    if (depth > DEPTH_LIMIT) return fault(path, 'too_large', `Schemas are nested at most ${DEPTH_LIMIT} deep.`);
    for (const keyword of Object.keys(value)) {
      if (!Object.hasOwn(KEYWORDS, keyword)) {
        fault(`${path}.${keyword}`, 'keyword_unknown', `The keyword \`${keyword}\` is not available in contracts.`);
      }
    }
    const types = readTypes(value, path);
    if (!types) return undefined;
    if (depth === 0 && (types.length > 1 || types[0] !== 'object')) {
      return fault(`${path}.type`, 'value_invalid', 'A contract is an object whose properties are the variables.');
    }
    const node: Record<string, unknown> = {};
    for (const [keyword, about] of Object.entries(KEYWORDS)) {
      if (keyword === 'type') node['type'] = types.length === 1 ? types[0] : types;
      if (keyword === 'additionalProperties' && types.includes('object')) node[keyword] = false;
      if (keyword === 'type' || !Object.hasOwn(value, keyword)) continue;
      const appliesToType =
        about === SCALARS ? types.every((type) => SCALARS.includes(type)) : about.some((type) => types.includes(type));
      if (about.length > 0 && !appliesToType) {
        fault(
          `${path}.${keyword}`,
          'keyword_misplaced',
          `\`${keyword}\` does not apply to the type ${types.join(' or ')}.`,
        );
        continue;
      }
      node[keyword] = readKeyword(keyword, value[keyword], `${path}.${keyword}`, depth);
    }
    checkTogether(node as ContractNode, path);
    return node as ContractNode;
  }

  function readTypes(schema: Record<string, unknown>, path: string): ContractType[] | undefined {
    const typeValue = schema['type'];
    if (typeValue === undefined) return guessTypes(schema, path);
    const list: unknown[] = Array.isArray(typeValue) ? typeValue : [typeValue];
    const validTypes = list.filter((type): type is ContractType => TYPES.includes(type as ContractType));
    if (
      validTypes.length === 0 ||
      validTypes.length !== list.length ||
      new Set(validTypes).size !== validTypes.length
    ) {
      return fault(
        `${path}.type`,
        'value_invalid',
        `A type is one of ${TYPES.join(', ')}, or a list of different ones.`,
      );
    }
    return validTypes;
  }

  /** Without `type`, the other keywords imply the types; JSON Schema would accept every other type. */
  function guessTypes(schema: Record<string, unknown>, path: string): ContractType[] | undefined {
    const impliedTypes = new Set<ContractType>();
    for (const [keyword, [about]] of Object.entries(KEYWORDS)) {
      if (about && KEYWORDS[keyword] !== SCALARS && Object.hasOwn(schema, keyword)) impliedTypes.add(about);
    }
    const values = Array.isArray(schema['enum']) ? schema['enum'] : [schema['const']];
    if (impliedTypes.size === 0 && (schema['enum'] ?? schema['const']) !== undefined) {
      for (const value of values) impliedTypes.add(value === null ? 'null' : (typeof value as ContractType));
    }
    if (impliedTypes.size === 0 && path === 'variables') impliedTypes.add('object');
    const types = TYPES.filter((type) => impliedTypes.has(type));
    return types.length > 0 ? types : fault(path, 'type_missing', 'Say which `type` this has.');
  }

  function readKeyword(keyword: string, value: unknown, path: string, depth: number): unknown {
    switch (keyword) {
      case 'properties':
        return readProperties(value, path, depth);
      case 'items':
        return readNode(value, path, depth + 1);
      case 'required':
        if (isList(value, (name) => typeof name === 'string') && new Set(value).size === value.length)
          return [...value];
        return fault(path, 'value_invalid', '`required` is a list of different names.');
      case 'additionalProperties':
        return typeof value === 'boolean'
          ? value
          : fault(path, 'value_invalid', '`additionalProperties` is true or false.');
      case 'enum':
        if (isList(value, isScalar) && value.length > 0 && value.length <= ENUM_LIMIT) return [...value];
        return fault(
          path,
          'value_invalid',
          `\`enum\` is a list of 1 to ${ENUM_LIMIT} texts, numbers, booleans or null.`,
        );
      case 'const':
        return isScalar(value)
          ? value
          : fault(path, 'value_invalid', '`const` is a text, a number, a boolean or null.');
      case 'pattern':
        return readPattern(value, path);
      case 'format':
        if (FORMATS.includes(value as string)) return value;
        return fault(path, 'value_invalid', `A format is one of ${FORMATS.join(', ')}.`);
      case 'title':
      case 'description':
        if (typeof value === 'string' && value.length <= TEXT_LIMIT) return value;
        return fault(path, 'value_invalid', `\`${keyword}\` is a text of at most ${TEXT_LIMIT} characters.`);
      case 'examples':
        return Array.isArray(value) ? value : fault(path, 'value_invalid', '`examples` is a list.');
      case 'default':
        return value;
      case 'writeOnly':
        if (depth === 0)
          return fault(path, 'keyword_misplaced', '`writeOnly` belongs to a variable, not to the contract.');
        return value === true
          ? value
          : fault(path, 'value_invalid', '`writeOnly` is true. Leave it out for a variable that may be shown.');
      default:
        return readNumber(keyword, value, path);
    }
  }

  function readNumber(keyword: string, value: unknown, path: string): number | undefined {
    const isCount = keyword.endsWith('Length') || keyword.endsWith('Items');
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      return fault(path, 'value_invalid', `\`${keyword}\` is a number.`);
    }
    if (isCount && (!Number.isInteger(value) || value < 0 || value > COUNT_LIMIT)) {
      return fault(path, 'value_invalid', `\`${keyword}\` is a whole number from 0 to ${COUNT_LIMIT}.`);
    }
    return value;
  }

  function readPattern(value: unknown, path: string): string | undefined {
    if (typeof value !== 'string') return fault(path, 'value_invalid', '`pattern` is a text.');
    const refusal = findPatternFault(value);
    return refusal === undefined ? value : fault(path, 'pattern_refused', refusal);
  }

  function readProperties(value: unknown, path: string, depth: number): Record<string, ContractNode> | undefined {
    if (!isRecord(value)) return fault(path, 'value_invalid', '`properties` is a JSON object.');
    const properties: [string, ContractNode][] = [];
    for (const [name, schema] of Object.entries(value)) {
      if (!isVariableName(name) || (depth === 0 && LIQUID_WORDS.has(name))) {
        const message =
          'A name must have 1 to 64 letters, digits, _ and -, must begin with a letter or _, and must not be a reserved word.';
        fault(`${path}.${beginning(name, 80)}`, 'name_forbidden', message);
        continue;
      }
      const node = readNode(schema, `${path}.${name}`, depth + 1);
      if (node) properties.push([name, node]);
    }
    return Object.fromEntries(properties);
  }

  function checkTogether(node: ContractNode, path: string): void {
    for (const name of node.required ?? []) {
      if (!Object.hasOwn(node.properties ?? {}, name)) {
        fault(
          `${path}.required`,
          'required_unknown',
          `\`${beginning(name, 80)}\` is required but not among the properties.`,
        );
      }
    }
    for (const [low, high] of BOUNDS) {
      if ((node[low] ?? Number.NEGATIVE_INFINITY) > (node[high] ?? Number.POSITIVE_INFINITY)) {
        fault(`${path}.${low}`, 'bounds_crossed', `\`${low}\` is above \`${high}\`.`);
      }
    }
  }

  const size = sizeOf(json);
  if (size === undefined || size > JSON_LIMIT) {
    fault('variables', 'too_large', `A contract has at most ${JSON_LIMIT} characters of JSON.`);
    return { node: undefined, faults };
  }
  const node = readNode(json, 'variables', 0);
  return { node, faults };
}

function sizeOf(json: unknown): number | undefined {
  try {
    return JSON.stringify(json)?.length ?? 0;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isScalar(value: unknown): value is Scalar {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function isList<T>(value: unknown, test: (item: unknown) => item is T): value is T[];
function isList(value: unknown, test: (item: unknown) => boolean): value is unknown[];
function isList(value: unknown, test: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(test);
}
