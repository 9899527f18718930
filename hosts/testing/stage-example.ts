// A service in the state in which an operation's example is called: the rows of its fixture have readable names, sends are
// delivered, and lists contain rows. Called by record-examples.ts and by tests that run examples.
import type { Fixture, FixtureKit, FixtureRequest } from '../../core/contract/declaration/fixture.ts';
import type { Operation } from '../../core/contract/declaration/operation.ts';
import { createFixtureKit } from './fixture-kit.ts';
import { createStableIds, type StableIds } from './stable-ids.ts';
import type { AnyTestService, TestResponse } from './test-service.ts';

/** The service for examples, and the settings that make examples readable. */
export interface ExampleSource {
  /** Opens a separate service for one example, seeded with a workspace. */
  open(): Promise<AnyTestService>;
  /** The results of `kit.unique(prefix)` in fixtures, in this order. (Default: the prefix) */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  /** Requests that replace the fixture of their operation, to show more. To keep fields of the fixture, spread it. */
  readonly requests?: Readonly<Record<string, (fixture: Fixture) => Fixture>>;
  /** The Idempotency-Key of mutating calls. */
  readonly idempotencyKey: string;
}

/** The parts of an example's request. */
export type ExampleRequest = FixtureRequest;

/** An example that is ready to be called. Close `test` afterwards. */
export interface StagedExample {
  readonly test: AnyTestService;
  readonly operation: Operation;
  readonly request: ExampleRequest;
  /** Already contains the ids of the request. */
  readonly ids: StableIds;
  /** The response to a read, or to a dry run of a mutating call. */
  readonly previewResponse: TestResponse;
}

interface Variant {
  /** Operations whose rows are created first. */
  readonly before: readonly Operation[];
  /** Whether jobs ran before the call, so that sends are delivered. */
  readonly settled: boolean;
}

/** Path, query and body as a request of the test service. */
export function callExample(
  test: AnyTestService,
  operation: Operation,
  { params = {}, query = {}, body = {} }: ExampleRequest,
  headers: Readonly<Record<string, string>>,
): Promise<TestResponse> {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  const takesBody = operation.input.body !== undefined;
  return test.request(search === '' ? path : `${path}?${search}`, {
    method: operation.method,
    ...(takesBody ? { body } : {}),
    headers,
  });
}

function exampleKit(test: AnyTestService, names: Readonly<Record<string, readonly string[]>>): FixtureKit {
  const used = new Map<string, number>();
  return {
    ...createFixtureKit(test, { actor: 'billing-service' }),
    apiKey: async (owner = test.workspaceId) =>
      (await test.service.keys.create({ workspaceId: owner, name: 'Monitoring', preset: 'read' })).id,
    unique(prefix) {
      const count = used.get(prefix) ?? 0;
      used.set(prefix, count + 1);
      const samples = names[prefix] ?? [];
      return samples[count] ?? `${samples[0] ?? prefix}-${count + 1}`;
    },
  };
}

const isRead = ({ idempotency }: Operation): boolean => idempotency === 'read';
const areaOf = ({ id }: Operation): string => id.split('.', 1)[0] ?? id;

/** The rows in the response of a list. */
export const rowsOf = ({ body }: TestResponse): readonly unknown[] | undefined =>
  Array.isArray(body?.data) && 'next_cursor' in body ? body.data : undefined;

function variantsOf(operation: Operation, all: readonly Operation[]): Variant[] {
  const others = all.filter((other) => other !== operation);
  const sameArea = others.filter((other) => areaOf(other) === areaOf(operation));
  return [
    { before: [], settled: true },
    { before: [], settled: false },
    ...(isRead(operation) ? [sameArea, others].map((before) => ({ before, settled: true })) : []),
  ];
}

/** Creates the rows of an operation's fixture, and calls the operation unless it deletes something. */
async function seed(source: ExampleSource, test: AnyTestService, kit: FixtureKit, operation: Operation) {
  const fixture = await operation.fixture(kit);
  if (isRead(operation) || operation.method === 'DELETE' || operation.tool?.destructive === true) return;
  await callExample(test, operation, fixture, { 'idempotency-key': `${source.idempotencyKey}-${operation.id}` });
}

async function stageVariant(
  source: ExampleSource,
  operation: Operation,
  { before, settled }: Variant,
): Promise<StagedExample> {
  const test = await source.open();
  const kit = exampleKit(test, source.names ?? {});
  for (const other of before) await seed(source, test, kit, other);
  const fixture = await operation.fixture(kit);
  if (settled) await test.drain();
  const { params, query, body } = source.requests?.[operation.id]?.(fixture) ?? fixture;
  const request: ExampleRequest = {
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { query }),
    ...(operation.input.body === undefined ? {} : { body: body ?? {} }),
  };
  const headers: Record<string, string> = isRead(operation)
    ? {}
    : { 'dry-run': 'true', 'idempotency-key': source.idempotencyKey };
  const ids = createStableIds();
  const rehearsal = await callExample(test, operation, request, headers);
  const takesLimit = operation.input.query !== undefined && 'limit' in operation.input.query.shape;
  if (takesLimit && (rowsOf(rehearsal)?.length ?? 0) > 2) {
    const shorterPage = { ...request, query: { ...request.query, limit: '2' } };
    ids.replace(shorterPage);
    return {
      test,
      operation,
      request: shorterPage,
      ids,
      previewResponse: await callExample(test, operation, shorterPage, headers),
    };
  }
  ids.replace(request);
  return { test, operation, request, ids, previewResponse: rehearsal };
}

const cache = new WeakMap<ExampleSource, readonly Operation[]>();

/** The operations that the source composes. */
export async function operationsOf(source: ExampleSource): Promise<readonly Operation[]> {
  const listed = cache.get(source);
  if (listed !== undefined) return listed;
  const test = await source.open();
  const operations = [...test.service.core.registry.operations.values()];
  await test.close();
  cache.set(source, operations);
  return operations;
}

/** The variant that was chosen for each operation when its example was first staged. */
const bestVariants = new WeakMap<ExampleSource, Map<Operation['id'], Variant>>();

/** Stages the example of an operation. @throws if every variant of its fixture is refused */
export async function stageExample(source: ExampleSource, operation: Operation): Promise<StagedExample> {
  const byOperation = bestVariants.get(source) ?? new Map<Operation['id'], Variant>();
  bestVariants.set(source, byOperation);
  const before = byOperation.get(operation.id);
  const variants = before === undefined ? variantsOf(operation, await operationsOf(source)) : [before];
  let best: StagedExample | undefined;
  let refused: TestResponse | undefined;
  for (const variant of variants) {
    const staged = await stageVariant(source, operation, variant);
    const { status } = staged.previewResponse;
    if (status !== operation.status) {
      refused = staged.previewResponse;
      await staged.test.close();
      continue;
    }
    await best?.test.close();
    best = staged;
    byOperation.set(operation.id, variant);
    if (rowsOf(staged.previewResponse)?.length !== 0) break;
  }
  if (best === undefined)
    throw new Error(`The example of ${operation.id} is refused: ${JSON.stringify(refused?.body)}`);
  return best;
}
