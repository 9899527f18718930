// The variables of a message on the command line: `--var name=value`, and a file of JSON. Values get the type from the template's
// contract, so that 42 becomes a number or a text as the contract requires.
import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { CommandError } from '../../core/command-line.ts';
import type { CommandContext } from '../../core/index.ts';

/** Values by name. */
export type Variables = Record<string, unknown>;

const usage = (message: string): CommandError => new CommandError(message, { exitCode: 2 });

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

async function textOf(file: string, { cwd, stdin }: CommandContext): Promise<string> {
  if (file === '-') return stdin();
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (cause) {
    throw new CommandError(`${relative(cwd, resolve(cwd, file))} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

/** The JSON object of --vars. @throws CommandError */
export async function readVariables(file: string | undefined, context: CommandContext): Promise<Variables> {
  if (file === undefined) return {};
  const name = file === '-' ? 'stdin' : file;
  const text = await textOf(file, context);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CommandError(`${name} is not JSON. --vars takes one object: {"name":"Ada"}`);
  }
  if (!isRecord(value)) throw new CommandError(`${name} is not a JSON object. --vars takes one: {"name":"Ada"}`);
  return value;
}

/** The types that a contract declares for a property; empty if it declares no type. */
function typesOf(contract: unknown, name: string): readonly string[] {
  if (!isRecord(contract) || !isRecord(contract['properties'])) return [];
  const property = contract['properties'][name];
  if (!isRecord(property)) return [];
  const { type } = property;
  return (Array.isArray(type) ? type : [type]).filter((entry) => typeof entry === 'string');
}

/** A value stays text if the contract requires text or has no type, or if the value cannot be parsed. */
function parseValue(text: string, types: readonly string[]): unknown {
  if (types.length === 0 || types.includes('string')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/**
 * Variables from `name=value`, each with its type from the contract. The service rejects values that do not match. @throws
 * CommandError
 */
export function assignVariables(assignments: readonly string[], contract: unknown): Variables {
  const variables: Variables = {};
  for (const assignment of assignments) {
    const [, name, text = ''] = /^([^=]+)=(.*)$/s.exec(assignment) ?? [];
    if (name === undefined) throw usage(`--var ${assignment} is not NAME=VALUE.`);
    if (Object.hasOwn(variables, name)) throw usage(`--var ${name} is given more than once.`);
    variables[name] = parseValue(text, typesOf(contract, name));
  }
  return variables;
}
