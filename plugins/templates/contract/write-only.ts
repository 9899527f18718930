/**
 * Variables that a contract marks `writeOnly`, such as codes and links that grant access. Their values are only shown in the mail
 * itself. Everywhere else each of their texts is replaced. Pure; takes checked contracts.
 */
import { hiddenValue } from '../../../core/unstable.ts';
import type { ContractNode } from './node.ts';

type Variables = Readonly<Record<string, unknown>>;

const known = new WeakMap<ContractNode, boolean>();

/** Whether a contract marks any of its variables. */
export function hasWriteOnly(node: ContractNode): boolean {
  const found = known.get(node);
  if (found !== undefined) return found;
  const inner = [...Object.values(node.properties ?? {}), ...(node.items === undefined ? [] : [node.items])];
  const result = node.writeOnly === true || inner.some(hasWriteOnly);
  known.set(node, result);
  return result;
}

const isObject = (value: unknown): value is Variables =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keeps the form of the value, so that a template takes the same branches: an empty text or list stays empty. */
function hide(value: unknown): unknown {
  if (value === null || value === undefined || value === '') return value;
  if (Array.isArray(value)) return value.map(hide);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, hide(part)]));
  return hiddenValue;
}

function maskNode(node: ContractNode, value: unknown): unknown {
  if (node.writeOnly === true) return hide(value);
  if (!hasWriteOnly(node)) return value;
  const { properties = {}, items } = node;
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => maskNode(items, item));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, part]): [string, unknown] => {
    const child = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, child === undefined ? part : maskNode(child, part)];
  });
  return Object.fromEntries(entries);
}

/** The variables with `••••` in place of what must not be shown; undefined if the contract marks nothing. */
export const maskVariables = (contract: ContractNode, variables: Variables): Variables | undefined =>
  hasWriteOnly(contract) ? (maskNode(contract, variables) as Variables) : undefined;

/** The texts that a masked copy of these variables hides. Short ones are left out: they would match anywhere. */
function hiddenTexts(value: unknown, masked: unknown): string[] {
  if (masked === hiddenValue && value !== hiddenValue) {
    // Without half characters, which cannot be written in a URL.
    const text = Buffer.from(String(value)).toString();
    return text.length >= shortest ? [text] : [];
  }
  if (Array.isArray(value) && Array.isArray(masked))
    return value.flatMap((item, index) => hiddenTexts(item, masked[index]));
  if (isObject(value) && isObject(masked))
    return Object.entries(value).flatMap(([name, part]) => hiddenTexts(part, masked[name]));
  return [];
}

const shortest = 4;

/** Removes the hidden values from a text of somebody else, such as the answer of a mail server that quotes the mail. */
export function withoutHidden(text: string, variables: Variables, masked: Variables): string {
  // The longest first: one value may be a part of another.
  const values = hiddenTexts(variables, masked).sort((one, other) => other.length - one.length);
  return values
    .flatMap((value) => [value, encodeURIComponent(value), encodeURI(value), value.replaceAll('&', '&amp;')])
    .reduce((left, value) => left.replaceAll(value, hiddenValue), text);
}
