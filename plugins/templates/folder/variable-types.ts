// A contract as a TypeScript type, as `postrider templates types` writes it. Pure.
import type { Contract, ContractNode, ContractType } from '../contract/node.ts';

const plainName = /^[A-Za-z_$][\w$]*$/;

const typeNames: Readonly<Record<Exclude<ContractType, 'object' | 'array'>, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

function comment(node: ContractNode, indent: string): string {
  const parts = [node.description ?? node.title, node.format === undefined ? undefined : `Format: ${node.format}.`];
  if (node.default !== undefined) parts.push(`(Default: ${JSON.stringify(node.default)})`);
  const text = parts
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
    .replaceAll('*/', '* /')
    .replace(/\s+/g, ' ');
  return text === '' ? '' : `${indent}/** ${text} */\n`;
}

function objectType(node: ContractNode, indent: string): string {
  const inner = `${indent}  `;
  const required = new Set(node.required ?? []);
  const lines = Object.entries(node.properties ?? {}).map(([name, property]) => {
    const optional = required.has(name) && property.default === undefined ? '' : '?';
    const propertyName = plainName.test(name) ? name : JSON.stringify(name);
    return `${comment(property, inner)}${inner}readonly ${propertyName}${optional}: ${typeOf(property, inner)};\n`;
  });
  if (node.additionalProperties === true) lines.push(`${inner}readonly [name: string]: unknown;\n`);
  return lines.length === 0 ? 'Record<string, never>' : `{\n${lines.join('')}${indent}}`;
}

/** The type of a node, as written after a colon. */
function typeOf(node: ContractNode, indent: string): string {
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum !== undefined) return node.enum.map((value) => JSON.stringify(value)).join(' | ');
  const types = node.type === undefined ? [] : [node.type].flat();
  if (types.length === 0) return node.properties === undefined ? 'unknown' : objectType(node, indent);
  return types
    .map((type) => {
      if (type === 'object') return objectType(node, indent);
      if (type === 'array') return `readonly (${node.items === undefined ? 'unknown' : typeOf(node.items, indent)})[]`;
      return typeNames[type];
    })
    .join(' | ');
}

/** Returns the module that gives each template's variables their types. */
export function variableTypes(templates: readonly { readonly key: string; readonly contract: Contract }[]): string {
  const sorted = [...templates].sort((left, right) => (left.key < right.key ? -1 : 1));
  const members = sorted.map(({ key, contract }) => `    ${JSON.stringify(key)}: ${objectType(contract, '    ')};\n`);
  return `// Made by \`postrider templates types\`. Do not edit: run it again when a template changes.
// With this file in your program, a send with a wrong key or a wrong variable does not compile.
import type {} from 'postrider/open';

declare module 'postrider/open' {
  interface TemplateVariables {
${members.join('')}  }
}
`;
}
