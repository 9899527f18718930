// The media types that an operation answers beside JSON: bytes of that type, and the same ones when they are replayed.
import * as assert from 'node:assert/strict';
import type { Case, Check } from './request.ts';
import { freshKey, succeeds } from './request.ts';

async function answersBytes(one: Case): Promise<void> {
  const { operation, kit } = one;
  for (const type of operation.representations.keys()) {
    const fresh: Case = { ...one, fixture: await operation.fixture(kit) };
    const request = { headers: { accept: type, ...freshKey() } };
    const first = await succeeds(fresh, {}, request);
    assert.equal(first.headers['Content-Type']?.split(';')[0], type);
    assert.ok(first.bytes.length > 0, `the answer in ${type} is empty`);
    if (operation.idempotency !== 'replay') continue;
    const second = await succeeds(fresh, {}, request);
    assert.equal(second.headers['Idempotent-Replay'], 'true');
    assert.ok(second.bytes.equals(first.bytes), `the replay in ${type} has other bytes`);
  }
}

/** The check of operations with representations. */
export const representationsCheck: Check = { name: 'answers its other media types', run: answersBytes };
