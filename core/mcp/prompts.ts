// prompts/list and prompts/get: the declared prompts, if the caller sees all of their tools. Pure except for the texts of the
// declarations.
import type { PromptDeclaration } from '../contract/declaration/resource.ts';
import type { Core } from '../pipeline/core.ts';
import { isRecord } from '../projections/schema-parts.ts';
import { type Exchange, writeResult } from './exchange.ts';
import { RpcFault, rpcCodes } from './json-rpc.ts';
import { refuseCursor } from './resources.ts';
import type { Visibility } from './visibility.ts';

/** The methods of prompts; each returns a result as JSON text. @throws RpcFault */
export interface Prompts {
  list(exchange: Exchange): string;
  get(exchange: Exchange): string;
  /** The prompt of that name, if the caller sees it. @throws RpcFault */
  find(exchange: Exchange, name: string): PromptDeclaration;
}

/** The arguments that the client sent. If the user left an argument out, clients send an empty text for it. */
function readArguments(prompt: PromptDeclaration, input: unknown): Readonly<Record<string, string>> {
  const entries = isRecord(input) ? Object.entries(input).filter(([, value]) => value !== '') : [];
  const declared = new Map(prompt.arguments.map((argument) => [argument.name, argument]));
  const faults = entries
    .filter(([name]) => !declared.has(name))
    .map(([name]) => `There is no argument ${JSON.stringify(name.slice(0, 100))}.`);
  const provided = new Set(entries.map(([name]) => name));
  for (const { name, description, required } of prompt.arguments)
    if (required && !provided.has(name)) faults.push(`The argument ${name} is missing: ${description}`);
  if (faults.length > 0) {
    throw new RpcFault(rpcCodes.invalidParams, `The prompt ${prompt.name}: ${faults.slice(0, 10).join(' ')}`);
  }
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Serves the declared prompts. */
export function createPrompts({ registry }: Core, { isOffered, isAllowed }: Visibility): Prompts {
  const isVisible = ({ tools }: PromptDeclaration, { admission, options }: Exchange): boolean =>
    tools.every((name) => {
      const operation = registry.tools.get(name);
      return operation !== undefined && isOffered(operation, options) && isAllowed(operation, admission);
    });

  const find = (exchange: Exchange, name: string): PromptDeclaration => {
    const prompt = registry.prompts.get(name);
    if (prompt !== undefined && isVisible(prompt, exchange)) return prompt;
    throw new RpcFault(rpcCodes.invalidParams, `There is no prompt ${name.slice(0, 100)}. See prompts/list.`);
  };

  return {
    find,
    list(exchange) {
      refuseCursor(exchange);
      const prompts = [...registry.prompts.values()]
        .filter((prompt) => isVisible(prompt, exchange))
        .map(({ name, title, description, arguments: declaredArguments }) => ({
          name,
          title,
          description,
          arguments: declaredArguments.map((argument) => ({
            name: argument.name,
            description: argument.description,
            required: argument.required,
          })),
        }));
      return writeResult(exchange, `"prompts":${JSON.stringify(prompts)}`, { cacheable: true });
    },
    get(exchange) {
      const prompt = find(exchange, exchange.params.name as string);
      const text = prompt.text(readArguments(prompt, exchange.params.arguments));
      const messages = [{ role: 'user', content: { type: 'text', text } }];
      return writeResult(
        exchange,
        `"description":${JSON.stringify(prompt.description)},"messages":${JSON.stringify(messages)}`,
      );
    },
  };
}
