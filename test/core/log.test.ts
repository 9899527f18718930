// The parts of error texts that the log of a service removes, and the parts that it keeps.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { logOf, withoutAddresses } from '../../core/kernel/log.ts';

const test = suite('the log of a service');

test('the log removes mail addresses and phone numbers in any place', () => {
  const cases = {
    "Duplicate entry 'wsp_1-ann.o'hara@example.com' for key": "Duplicate entry '(address)' for key",
    'RCPT TO:<"two words"@mail.example.org> refused': 'RCPT TO:<(address)> refused',
    'jürgen@müller.example; x@xn--mller-kva.xn--p1ai': '(address); (address)',
    'https://v.example/?to=ann%40example.com&x=1': 'https://v.example/?to=(address)&x=1',
    "The 'To' number +15005550001 is not valid, nor is +49 (30) 123-456 7":
      "The 'To' number (number) is not valid, nor is (number)",
  };
  for (const [text, logged] of Object.entries(cases)) assert.is(withoutAddresses(text), logged);
});

test('the log keeps stacks, versions, times and ids unchanged', () => {
  for (const text of [
    'at send (/app/node_modules/.pnpm/bullmq@5.1.0/node_modules/@opentelemetry/api/build/index.js:12:7)',
    '2026-11-23T03:28:18+01:00 job_01JD0000000000000000000000 took 1e+10 ms',
    'postgres@127.0.0.1:5432 refused',
  ])
    assert.is(withoutAddresses(text), text);
});

test('a long text without an address is cleaned quickly', () => {
  const cpuBefore = process.cpuUsage().user;
  withoutAddresses(`${'a.'.repeat(100_000)}@${'b.'.repeat(50_000)}`);
  withoutAddresses(`+${'1 '.repeat(100_000)}@`);
  assert.ok(process.cpuUsage().user - cpuBefore < 2_000_000);
});

test('texts, lists and errors in the fields are cleaned, and so is the message', () => {
  const entries: unknown[] = [];
  const note = (fields: Record<string, unknown>, message: string) => void entries.push([fields, message]);
  const log = logOf({ logger: { debug: note, info: note, warn: note, error: note } });
  const error = Object.assign(new Error('no a@b.example'), { stack: 'Error: no a@b.example' });
  log.error({ cause: 'a@b.example', err: error, to: ['a@b.example', 1], count: 2 }, 'to a@b.example');
  assert.equal(entries, [
    [{ cause: '(address)', err: 'Error: no (address)', to: ['(address)', 1], count: 2 }, 'to (address)'],
  ]);
});

test.run();
