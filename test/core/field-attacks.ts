// Passes names that no caller may set to an operation: in its body, in the objects inside the body, in its query and in the arguments of
// its tool. Returns every name that was not refused by name. Used by attack-fields.test.ts and attack-planted.test.ts.
import fc from 'fast-check';
import type { Fixture } from '../../core/contract/declaration/fixture.ts';
import type { Operation } from '../../core/contract/declaration/operation.ts';
import { flatInput } from '../../core/projections/flat.ts';
import { jsonSchemaOf, standaloneSchema } from '../../core/projections/json-schema.ts';
import { endpointArguments } from '../../core/projections/mcp.ts';
import { isRecord, type JsonSchema } from '../../core/projections/schema-parts.ts';
import type { AttackBench } from './attack-bench.ts';
import { askRest, callTool, errorIn } from './attack-interfaces.ts';
import { validValue } from './fuzz-values.ts';
import type { CheckedResponse } from './response-check.ts';

/** The result of trying names on one operation */
export interface FieldAttack {
  readonly attempts: number;
  /** The names that were accepted, or that were refused in an error that does not mention them */
  readonly notRefused: readonly string[];
}

/** Collects every member name in a JSON Schema, at every level. */
function namesIn(schema: unknown, names: Set<string>): void {
  if (Array.isArray(schema)) for (const part of schema) namesIn(part, names);
  if (!isRecord(schema)) return;
  if (isRecord(schema.properties)) for (const name of Object.keys(schema.properties)) names.add(name);
  for (const part of Object.values(schema)) namesIn(part, names);
}

/** Names of responses, inputs and columns that an attacker might try to set */
export function namesToInject({ test }: AttackBench): readonly string[] {
  const { operations, migrations } = test.service.core.registry;
  const names = new Set<string>(['__proto__', 'constructor', '$set', 'isAdmin', 'role', 'workspace']);
  for (const { input, output } of operations.values()) {
    namesIn(standaloneSchema(jsonSchemaOf(output, 'output')), names);
    for (const part of Object.values(input))
      if (part !== undefined) namesIn(standaloneSchema(jsonSchemaOf(part, 'input')), names);
  }
  for (const change of migrations.flatMap(({ migrations: list }) => list.flatMap(({ changes }) => changes)))
    if ('create' in change) for (const name of Object.keys(change.columns)) names.add(name);
  return [...names].sort();
}

const withNames = (value: unknown, names: readonly string[]): object =>
  Object.fromEntries([
    ...Object.entries(value ?? {}).filter(([own]) => !names.includes(own)),
    ...names.map((name) => [name, 'x']),
  ]);

function isRefused(answer: CheckedResponse, path: string): boolean {
  const error = errorIn(answer);
  if (answer.faults.length > 0 || error?.code !== 'validation_failed') return false;
  return error.details.some(
    (detail: { path: string; code: string }) => detail.path === path && detail.code === 'unknown_field',
  );
}

/** Names per request. A refusal has at most 50 details. */
const atOnce = 40;

/** Splits the names into batches. `__proto__` has its own batch, because it is refused before a schema sees other names. */
function batchesOf(names: readonly string[]): readonly (readonly string[])[] {
  const others = names.filter((name) => name !== '__proto__');
  const batches = Array.from({ length: Math.ceil(others.length / atOnce) }, (_, index) =>
    others.slice(index * atOnce, (index + 1) * atOnce),
  );
  return others.length < names.length ? [['__proto__'], ...batches] : batches;
}

/** Sends the names in batches, and then separately each name that the refusal of its batch does not mention. */
async function attackEach(
  names: readonly string[],
  ask: (names: readonly string[]) => Promise<CheckedResponse>,
  pathOf: (name: string) => string = (name) => name,
): Promise<FieldAttack> {
  const acceptedNames: string[] = [];
  for (const batch of batchesOf(names)) {
    const together = await ask(batch);
    for (const name of batch) {
      if (isRefused(together, pathOf(name))) continue;
      const answer = batch.length === 1 ? together : await ask([name]);
      if (!isRefused(answer, pathOf(name))) acceptedNames.push(`${pathOf(name)}: ${answer.text.slice(0, 300)}`);
    }
  }
  return { attempts: names.length, notRefused: acceptedNames };
}

const noAttempt: FieldAttack = { attempts: 0, notRefused: [] };

/** Adds names to the body. */
export async function attackBody(
  bench: AttackBench,
  names: readonly string[],
  operation: Operation,
  fixture: Fixture,
): Promise<FieldAttack> {
  const { body } = operation.input;
  if (body === undefined) return noAttempt;
  const unknown = names.filter((name) => !Object.hasOwn(body.shape, name));
  return attackEach(unknown, (some) => askRest(bench, operation, fixture, { body: withNames(fixture.body, some) }));
}

/** An object inside a body, a valid value for it, and a function that wraps such a value in a whole body */
interface Inner {
  readonly path: string;
  readonly known: ReadonlySet<string>;
  readonly wrap: (value: object) => unknown;
  readonly valid: object;
}

/** The objects with fixed members inside a schema. Objects with free member names are skipped, because they accept any name. */
function innerObjects(schema: JsonSchema, path: string, wrap: (value: unknown) => unknown): Inner[] {
  if (isRecord(schema.items)) return innerObjects(schema.items, `${path}.0`, (value) => wrap([value]));
  const choices = [schema.anyOf, schema.oneOf].find(Array.isArray);
  if (choices !== undefined) {
    const objects = choices.flatMap((part) => innerObjects(part as JsonSchema, path, wrap));
    // The name of a field in another variant is not foreign: it only mixes two variants.
    const siblings = new Set(objects.filter((one) => one.path === path).flatMap(({ known }) => [...known]));
    return objects.map((one) => (one.path === path ? { ...one, known: siblings } : one));
  }
  const { properties } = schema;
  if (!isRecord(properties)) return [];
  const [valid] = fc.sample(validValue(schema), { numRuns: 1, seed: 1 });
  const ownObject: Inner = { path, known: new Set(Object.keys(properties)), wrap, valid: valid as object };
  const inner = Object.entries(properties).flatMap(([name, part]) =>
    innerObjects(part as JsonSchema, `${path}.${name}`, (value) => wrap({ ...(valid as object), [name]: value })),
  );
  return [ownObject, ...inner];
}

/** Adds names to every object inside the body. */
export async function attackInside(
  bench: AttackBench,
  names: readonly string[],
  operation: Operation,
  fixture: Fixture,
): Promise<FieldAttack> {
  const { body } = operation.input;
  if (body === undefined) return noAttempt;
  const { properties } = standaloneSchema(jsonSchemaOf(body, 'input')) as { properties: Record<string, JsonSchema> };
  const objects = Object.entries(properties).flatMap(([name, part]) =>
    innerObjects(part, name, (value) => ({ ...(fixture.body as object), [name]: value })),
  );
  let all = noAttempt;
  for (const { path, known, wrap, valid } of objects) {
    const { attempts, notRefused: taken } = await attackEach(
      names.filter((name) => !known.has(name)),
      (some) => askRest(bench, operation, fixture, { body: wrap(withNames(valid, some)) }),
      (name) => `${path}.${name}`,
    );
    all = { attempts: all.attempts + attempts, notRefused: [...all.notRefused, ...taken] };
  }
  return all;
}

/** Adds names to the query. */
export async function attackQuery(
  bench: AttackBench,
  names: readonly string[],
  operation: Operation,
  fixture: Fixture,
): Promise<FieldAttack> {
  const unknown = names.filter((name) => !Object.hasOwn(operation.input.query?.shape ?? {}, name));
  return attackEach(unknown, (some) =>
    askRest(bench, operation, fixture, { query: some.map((name) => `${encodeURIComponent(name)}=x`).join('&') }),
  );
}

/** Adds names to the tool's arguments. */
export async function attackTool(
  bench: AttackBench,
  names: readonly string[],
  operation: Operation,
  fixture: Fixture,
): Promise<FieldAttack> {
  if (operation.tool === undefined) return noAttempt;
  const argumentNames = flatInput(operation).arguments;
  const endpointArgs = endpointArguments(operation);
  const endpointNames = new Set([
    ...(endpointArgs.idempotencyKey ? ['idempotency_key'] : []),
    ...(endpointArgs.dryRun ? ['dry_run'] : []),
    ...(endpointArgs.format ? ['format'] : []),
  ]);
  const unknown = names.filter((name) => !argumentNames.has(name) && !endpointNames.has(name));
  return attackEach(unknown, (some) => callTool(bench, operation, fixture, { args: withNames({}, some) }));
}
