// The checks of operations that take an address: the tables must store it normalised, regardless of its spelling, so that the
// rows are found when the person is erased.
import * as assert from 'node:assert/strict';
import type { Operation } from '../../../core/contract/declaration/operation.ts';
import { normaliseAddress, parseAddress } from '../../../core/contract/values/addresses.ts';
import type { TestResponse } from '../test-service.ts';
import { isMutating, type OperationCase, type OperationCheck, send, textsIn } from './request.ts';
import { addressesIn, rowsOf } from './rows.ts';

/** Another spelling of the same address: `ada@example.com` becomes `Ada@Example.com`. */
const capitalise = (address: string): string =>
  address.replace(/(^|@)([a-z])/g, (_, before: string, letter: string) => `${before}${letter.toUpperCase()}`);

/** The value with another spelling of each of its addresses. */
function respell(value: unknown): unknown {
  if (typeof value === 'string') return parseAddress(value) === undefined ? value : capitalise(value);
  if (Array.isArray(value)) return value.map(respell);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, respell(inner)]));
}

async function keepsNormalised(testCase: OperationCase): Promise<void> {
  const body = respell(testCase.fixture.body);
  if (JSON.stringify(body) === JSON.stringify(testCase.fixture.body)) return;
  const answer = await send(testCase, { body: body as object });
  await testCase.test.drain();
  const storedAddresses = await addressesIn(testCase.test);
  for (const { table, column, value } of storedAddresses)
    assert.equal(
      value,
      normaliseAddress(value),
      `${table}.${column} keeps an address as it was spelled, so erasing the person misses its row: write it with tenantRows, or with normaliseAddress in your own SQL`,
    );
  if (answer.status < 300)
    await showsStoredSpelling(testCase, answer, { requestedTexts: textsIn(body), storedAddresses });
}

/** Tables whose rows store requests and responses verbatim. */
const copies = new Set(['idempotency', 'stored_bytes']);

/**
 * Checks that the response shows the stored spelling. If the rows contain only the normalised form, a response with the caller's
 * spelling would differ from every later read.
 */
async function showsStoredSpelling(
  { test, operation }: OperationCase,
  { body }: TestResponse,
  {
    requestedTexts,
    storedAddresses,
  }: { readonly requestedTexts: readonly string[]; readonly storedAddresses: readonly { readonly value: string }[] },
): Promise<void> {
  const isRespelled = (text: string): boolean =>
    requestedTexts.includes(text) &&
    text !== normaliseAddress(text) &&
    storedAddresses.some(({ value }) => value === normaliseAddress(text));
  const shownTexts = textsIn(body).filter(isRespelled);
  if (shownTexts.length === 0) return;
  const rows = [...(await rowsOf(test))].flatMap(([table, list]) => (copies.has(table) ? [] : list));
  for (const text of shownTexts)
    assert.ok(
      rows.some((row) => row.includes(text)),
      `the response of ${operation.id} shows ${text}, but no row contains this spelling, so later reads show another one. Return the row that rows.insert returns, or after insertUnlessTaken the row that rows.find reads; to keep the spelling, store it in a separate text column`,
    );
}

/** The check of an operation whose body may contain addresses. */
export const addressChecks = (operation: Operation): readonly OperationCheck[] =>
  isMutating(operation) && operation.input.body !== undefined
    ? [{ name: 'keeps addresses normalised', run: keepsNormalised }]
    : [];
