// Calls one operation over REST or with its tool, with its fixture and the changes of an attack. Used by the attacks on every operation.
import { type Fixture, foreignIds } from '../../core/contract/declaration/fixture.ts';
import type { Operation } from '../../core/contract/declaration/operation.ts';
import type { AttackBench } from './attack-bench.ts';
import type { CheckedResponse } from './response-check.ts';

/** Changes to the fixture. (Default key: the live key, because fixtures create live rows) */
export interface Changes {
  readonly key?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** More query parameters, encoded as in a URL. */
  readonly query?: string;
  /** More arguments for the tool. */
  readonly args?: object;
}

let requestCount = 0;

/** Calls the operation over REST with a new Idempotency-Key. */
export function askRest(
  bench: AttackBench,
  operation: Operation,
  fixture: Fixture,
  changes: Changes = {},
): Promise<CheckedResponse> {
  const { params = fixture.params ?? {}, body = fixture.body ?? {}, query = '', key = bench.test.liveKey } = changes;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const fixtureQuery = new URLSearchParams({ ...fixture.query });
  for (const name of new URLSearchParams(query).keys()) fixtureQuery.delete(name);
  const search = [fixtureQuery.toString(), query].filter((part) => part !== '').join('&');
  requestCount += 1;
  return bench.ask({
    method: operation.method,
    url: search === '' ? path : `${path}?${search}`,
    key,
    headers: { 'content-type': 'application/json', 'idempotency-key': `asked-${requestCount}` },
    ...(operation.input.body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Converts the fixture to the arguments of the tool. */
function argumentsOf(operation: Operation, fixture: Fixture, params: Readonly<Record<string, string>>): object {
  const renamedParams = Object.entries(params).map(([name, value]) => [operation.rename[name] ?? name, value]);
  requestCount += 1;
  const toolOnly = operation.idempotency === 'replay' ? { idempotency_key: `asked-${requestCount}` } : {};
  return { ...fixture.query, ...(fixture.body as object), ...Object.fromEntries(renamedParams), ...toolOnly };
}

/** Calls the tool of the operation. */
export function callTool(
  bench: AttackBench,
  operation: Operation,
  fixture: Fixture,
  changes: Changes = {},
): Promise<CheckedResponse> {
  const { params = fixture.params ?? {}, key = bench.test.liveKey, args = {} } = changes;
  const all = { ...argumentsOf(operation, fixture, params) };
  const toolArguments = Object.fromEntries([...Object.entries(all), ...Object.entries(args)]);
  return bench.tool(operation.tool?.name ?? '', toolArguments, { key });
}

/** The ways to call an operation: REST, and its tool if it has one. */
export const interfacesOf = (operation: Operation): readonly (typeof askRest)[] =>
  operation.tool === undefined ? [askRest] : [askRest, callTool];

/** The error envelope in a response from REST or a tool. */
export const errorIn = ({ json }: CheckedResponse): CheckedResponse['json'] =>
  json?.result?.structuredContent?.error ?? json?.error;

/** A response without the parts that always differ: the requested ids and the request id. */
export function withoutIds({ status, headers, text }: CheckedResponse, ids: readonly string[] = []): string {
  const { 'X-Request-Id': _, ...rest } = headers;
  return (
    ids
      .reduce((answer, id) => answer.replaceAll(id, 'ID'), JSON.stringify({ status, headers: rest, text }))
      // Suggestions name the caller's own rows by similarity, so they may differ.
      .replace(/ Did you mean [^?]*\?/g, '')
      .replaceAll(/req_[0-9A-Z]{26}/g, 'REQ')
  );
}

/** Ids of the same format that do not exist. */
export const missingOf = (foreign: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(foreign).map(([name, id]) => [name, `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`]),
  );

/**
 * The differences between the answers for a foreign id and for a missing id, over REST and with the tool, with the live and the test key.
 * Empty if there are none.
 */
export async function foreignIdLeaks(bench: AttackBench, operation: Operation, fixture: Fixture): Promise<string[]> {
  const foreign = foreignIds(fixture)?.params;
  if (foreign === undefined) return [];
  const missing = missingOf(foreign);
  const leaks: string[] = [];
  for (const key of [bench.test.liveKey, bench.test.testKey]) {
    for (const call of interfacesOf(operation)) {
      const foreignResponse = await call(bench, operation, fixture, { key, params: foreign });
      const missingResponse = await call(bench, operation, fixture, { key, params: missing });
      leaks.push(...foreignResponse.faults, ...missingResponse.faults);
      // If an operation refuses every sandbox key, the refusal reveals nothing about ids.
      const isAlwaysRefused = operation.liveOnly && key === bench.test.testKey;
      if (!isAlwaysRefused && !String(errorIn(foreignResponse)?.code).endsWith('_not_found'))
        leaks.push(`it is answered ${foreignResponse.text}`);
      const [one, other] = [
        withoutIds(foreignResponse, Object.values(foreign)),
        withoutIds(missingResponse, Object.values(missing)),
      ];
      if (one !== other) leaks.push(`${one}\nis not\n${other}`);
    }
  }
  return leaks;
}
