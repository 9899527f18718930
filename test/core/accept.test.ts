// Content negotiation: which of the offered media types matches an Accept header (RFC 9110, section 12.5.1).
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { negotiate } from '../../core/projections/accept.ts';

const mediaTypes = ['application/json', 'image/svg+xml', 'image/png', 'text/csv'];

const cases: readonly (readonly [accept: string | undefined, chosen: string | undefined])[] = [
  // JSON stays the default.
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
  ['application/json, text/plain, */*', 'application/json'],
  // By exact name, by family, and in any letter case
  ['image/png', 'image/png'],
  ['IMAGE/PNG', 'image/png'],
  ['image/*', 'image/svg+xml'],
  ['text/*', 'text/csv'],
  ['text/csv; charset=utf-8', 'text/csv'],
  // Weights
  ['image/png;q=0.5, text/csv;q=0.6', 'text/csv'],
  ['image/*;q=0.5, image/png', 'image/png'],
  ['application/json;q=0.9, image/png', 'image/png'],
  ['image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5', 'image/svg+xml'],
  ['image/*;q=1.000 , image/svg+xml;q=0.001', 'image/png'],
  // A named type wins over a range of the same weight.
  ['image/png, */*', 'image/png'],
  // The more specific range decides, even if a wider range would allow more.
  ['*/*, application/json;q=0', 'image/svg+xml'],
  ['image/*;q=0, image/png;q=0.1', 'image/png'],
  ['image/png;q=0.1, image/*', 'image/svg+xml'],
  // No offered type is acceptable.
  ['application/pdf', undefined],
  ['*/*;q=0', undefined],
  ['application/json;q=0', undefined],
  // A comma in a quoted string does not separate ranges. An invalid media range is ignored.
  ['text/csv;header="a,b", image/png;q=0.2', 'text/csv'],
  ['image/png;q=2, text/csv;q=0.1', 'text/csv'],
  ['*/png, text/csv', 'text/csv'],
  ['png', 'application/json'],
];

for (const [accept, chosen] of cases)
  test(`Accept: ${accept ?? '(none)'} gets ${chosen ?? 'nothing'}`, () => {
    assert.is(negotiate(accept, mediaTypes), chosen);
  });

test('a header of any length and form is parsed in one pass', () => {
  assert.is(negotiate(`${'"'.repeat(20_000)},text/csv`, mediaTypes), 'text/csv');
  assert.is(negotiate(`${'"'.repeat(20_001)},text/csv`, mediaTypes), 'application/json');
  assert.is(negotiate(`${'a/b;'.repeat(20_000)}, text/csv`, mediaTypes), 'text/csv');
  assert.is(negotiate(`${'\\"'.repeat(20_000)}\\`, mediaTypes), 'application/json');
});

test.run();
