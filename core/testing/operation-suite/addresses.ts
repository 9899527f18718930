// What operations that take an address are held to: the tables keep it normalised, however it was spelled, so that the rows are
// found when the person is erased.
import * as assert from 'node:assert/strict';
import { normaliseAddress, parseAddress } from '../../contract/addresses.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Case, Check } from './request.ts';
import { isMutating, send } from './request.ts';
import { addressesIn } from './rows.ts';

/** `ada@example.com` becomes `Ada@Example.com`: another spelling of the same address. */
const capitalised = (address: string): string =>
  address.replace(/(^|@)([a-z])/g, (_, before: string, letter: string) => `${before}${letter.toUpperCase()}`);

/** The value with another spelling of each of its addresses. */
function respelled(value: unknown): unknown {
  if (typeof value === 'string') return parseAddress(value) === undefined ? value : capitalised(value);
  if (Array.isArray(value)) return value.map(respelled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, respelled(inner)]));
}

async function keepsNormalised(one: Case): Promise<void> {
  const body = respelled(one.fixture.body);
  if (JSON.stringify(body) === JSON.stringify(one.fixture.body)) return;
  await send(one, { body: body as object });
  await one.test.drain();
  for (const { table, column, value } of await addressesIn(one.test))
    assert.equal(
      value,
      normaliseAddress(value),
      `${table}.${column} keeps an address as it was spelled, so erasing the person misses its row: write it with tenantRows, or with normaliseAddress in SQL of your own`,
    );
}

/** The check of an operation whose body may hold addresses. */
export const addressChecks = (operation: Operation): readonly Check[] =>
  isMutating(operation) && operation.input.body !== undefined
    ? [{ name: 'keeps addresses normalised', run: keepsNormalised }]
    : [];
