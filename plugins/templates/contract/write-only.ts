/**
 * Variables that a contract marks `writeOnly`, such as codes and links that grant access. Their values are only shown in the mail
 * itself. Everywhere else each of their texts is replaced. Pure; takes checked contracts.
 */
import { hiddenValue } from '../../../core/unstable.ts';
import type { ContractNode } from './node.ts';

type Variables = Readonly<Record<string, unknown>>;

const markedNodes = new WeakMap<ContractNode, boolean>();

/** Whether a contract marks any of its variables. */
export function hasWriteOnly(node: ContractNode): boolean {
  const isMarked = markedNodes.get(node);
  if (isMarked !== undefined) return isMarked;
  const children = [...Object.values(node.properties ?? {}), ...(node.items === undefined ? [] : [node.items])];
  const result = node.writeOnly === true || children.some(hasWriteOnly);
  markedNodes.set(node, result);
  return result;
}

const isObject = (value: unknown): value is Variables =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Hides a value and keeps its form, so that a template renders the same branches: an empty text or list stays empty. */
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

/** The variables with `••••` in place of writeOnly values; undefined if the contract marks no variable. */
export const maskVariables = (contract: ContractNode, variables: Variables): Variables | undefined =>
  hasWriteOnly(contract) ? (maskNode(contract, variables) as Variables) : undefined;

/** The texts that a masked copy of these variables hides. Short texts are left out, because they would match anywhere. */
function hiddenTexts(value: unknown, masked: unknown): string[] {
  if (masked === hiddenValue && value !== hiddenValue) {
    // Unpaired surrogates are removed, because they cannot be encoded in a URL.
    const text = Buffer.from(String(value)).toString();
    return text.length >= minHiddenLength ? [text] : [];
  }
  if (Array.isArray(value) && Array.isArray(masked))
    return value.flatMap((item, index) => hiddenTexts(item, masked[index]));
  if (isObject(value) && isObject(masked))
    return Object.entries(value).flatMap(([name, part]) => hiddenTexts(part, masked[name]));
  return [];
}

const minHiddenLength = 4;

/** Removes the hidden values from a foreign text, such as the answer of a mail server that quotes the mail. */
export function withoutHidden(text: string, variables: Variables, masked: Variables): string {
  // The longest values are replaced first, because one value may be a part of another.
  const values = hiddenTexts(variables, masked).sort((one, other) => other.length - one.length);
  return values
    .flatMap((value) => [value, encodeURIComponent(value), encodeURI(value), value.replaceAll('&', '&amp;')])
    .reduce((maskedText, value) => maskedText.replaceAll(value, hiddenValue), text);
}
