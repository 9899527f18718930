/**
 * Compares two contracts: finds the changes, and whether the second could refuse callers of the first. Publishing refuses a
 * breaking change unless the caller allows it. Pure; takes checked contracts.
 */
import type { Contract, ContractNode, ContractType, Scalar } from './node.ts';

export interface ContractComparison {
  /** Whether the schemas that callers see differ. */
  changed: boolean;
  /** Whether the second contract could refuse, or does not have, variables that the first contract accepts. */
  breaking: boolean;
  /** Dotted names, `[]` for the elements of a list. */
  added: string[];
  removed: string[];
  /** The reasons why the change is breaking, one sentence each. */
  reasons: { path: string; reason: string }[];
}

export function compareContracts(from: Contract, to: Contract): ContractComparison {
  const comparison: ContractComparison = {
    changed: canonical(from) !== canonical(to),
    breaking: false,
    added: [],
    removed: [],
    reasons: [],
  };
  if (comparison.changed) compareNodes(from, to, '', comparison);
  comparison.breaking = comparison.reasons.length > 0;
  return comparison;
}

/** Returns the same text for contracts with the same meaning, even if the order of their names differs. */
function canonical(node: unknown): string {
  return JSON.stringify(node, (key, value: unknown) => {
    if (key === 'required' && Array.isArray(value)) return [...value].sort();
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
  });
}

function compareNodes(from: ContractNode, to: ContractNode, path: string, comparison: ContractComparison): void {
  const addReason = (reason: string): void => {
    comparison.reasons.push({ path: path === '' ? 'variables' : path, reason });
  };
  compareTypes(from, to, addReason);
  compareValues(from, to, addReason);
  compareBounds(from, to, addReason);
  if (to.pattern !== undefined && to.pattern !== from.pattern) addReason('The pattern was added or changed.');
  if (to.format !== undefined && to.format !== from.format) addReason('The format was added or changed.');
  if (from.additionalProperties && to.additionalProperties === false)
    addReason('Undeclared properties are refused now.');
  compareProperties(from, to, path, comparison);
  if (to.items && from.items) compareNodes(from.items, to.items, `${path}[]`, comparison);
  else if (to.items && typesOf(from).includes('array')) addReason('Elements of the list are restricted now.');
}

function typesOf(node: ContractNode): readonly ContractType[] {
  return Array.isArray(node.type) ? node.type : node.type === undefined ? [] : [node.type];
}

function compareTypes(from: ContractNode, to: ContractNode, addReason: (reason: string) => void): void {
  const accepted = typesOf(to);
  const removedTypes = typesOf(from).filter((type) => {
    return !accepted.includes(type) && !(type === 'integer' && accepted.includes('number'));
  });
  if (removedTypes.length > 0) addReason(`The type ${removedTypes.join(', ')} is no longer accepted.`);
}

function compareValues(from: ContractNode, to: ContractNode, addReason: (reason: string) => void): void {
  const [before, after] = [valuesOf(from), valuesOf(to)];
  if (!after) return;
  if (!before) addReason('The values are restricted to a list now.');
  else if (before.some((value) => !after.includes(value))) addReason('Some values are no longer accepted.');
}

function valuesOf(node: ContractNode): Scalar[] | undefined {
  if (node.const === undefined) return node.enum;
  return !node.enum || node.enum.includes(node.const) ? [node.const] : [];
}

const LOWER = ['minLength', 'minItems', 'minimum', 'exclusiveMinimum'] as const;
const UPPER = ['maxLength', 'maxItems', 'maximum', 'exclusiveMaximum'] as const;

function compareBounds(from: ContractNode, to: ContractNode, addReason: (reason: string) => void): void {
  for (const keyword of LOWER) {
    const [before, after] = [from[keyword] ?? Number.NEGATIVE_INFINITY, to[keyword] ?? Number.NEGATIVE_INFINITY];
    const isTighter = after > before && !((keyword === 'minLength' || keyword === 'minItems') && after === 0);
    if (isTighter) addReason(`\`${keyword}\` is ${after} now.`);
  }
  for (const keyword of UPPER) {
    const [before, after] = [from[keyword] ?? Number.POSITIVE_INFINITY, to[keyword] ?? Number.POSITIVE_INFINITY];
    if (after < before) addReason(`\`${keyword}\` is ${after} now.`);
  }
}

/** A default replaces a missing variable, so a required variable that has a default may be left out. */
function isNeeded(node: ContractNode, name: string): boolean {
  return (node.required?.includes(name) ?? false) && node.properties?.[name]?.default === undefined;
}

function compareProperties(from: ContractNode, to: ContractNode, path: string, comparison: ContractComparison): void {
  const [before, after] = [from.properties ?? {}, to.properties ?? {}];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const at = path === '' ? name : `${path}.${name}`;
    const [oldNode, newNode] = [before[name], after[name]];
    if (!newNode) {
      comparison.removed.push(at);
      comparison.reasons.push({ path: at, reason: 'It was removed.' });
      continue;
    }
    if (!oldNode) comparison.added.push(at);
    if (isNeeded(to, name) && !isNeeded(from, name))
      comparison.reasons.push({ path: at, reason: 'It is required now.' });
    if (oldNode) compareNodes(oldNode, newNode, at, comparison);
    else if (from.additionalProperties) comparison.reasons.push({ path: at, reason: 'It accepted any value before.' });
  }
}
