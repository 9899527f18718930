// Arrays in PostgreSQL's binary form, read back by a real server.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { arrayOf } from '../../adapters/storage/postgres-arrays.ts';
import { binaryArrayOf } from '../../adapters/storage/postgres-binary-arrays.ts';
import { hasPostgres, queryOnOwnConnection } from '../support/postgres-server.ts';

const test = suite('binary arrays of PostgreSQL');

const texts = [
  '',
  'plain',
  'a "quoted" \\ text',
  '{,}',
  'NULL',
  'žluťoučký',
  '日本語',
  '😀',
  'line\nbreak',
  'x'.repeat(70_000),
];
const integers = [0, 1, -1, 32_767, -32_768];
const valuesOf: Readonly<Record<string, readonly unknown[]>> = {
  text: [...texts, null, 12, true],
  'character varying': [...texts, null],
  bytea: [new Uint8Array(), new Uint8Array([0, 255, 34, 92]), Buffer.from('subarray').subarray(3), null],
  bigint: [
    ...integers,
    2 ** 31,
    2 ** 32,
    -(2 ** 32),
    -(2 ** 33) - 1,
    Number.MAX_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER,
    null,
  ],
  integer: [...integers, 2 ** 31 - 1, -(2 ** 31), null],
  smallint: [...integers, null],
  boolean: [true, false, null],
  'double precision': [...integers, 0.1, -1e308, 5e-324, null],
};

if (await hasPostgres()) {
  for (const [type, values] of Object.entries(valuesOf))
    test(`the server reads the same values of type ${type} from the binary form as from the text form`, async () => {
      const read = async (form: unknown) =>
        (await queryOnOwnConnection(`select v::text as v from unnest($1::${type}[]) as v`, [form])).rows;
      const binary = binaryArrayOf(values, type);
      assert.ok(binary !== undefined);
      const rows = await read(binary);
      assert.is(rows.length, values.length);
      assert.equal(rows, await read(arrayOf(values)));
    });

  test('the server refuses a NUL character in the binary form, too', async () => {
    const failure = await queryOnOwnConnection('select $1::text[]', [binaryArrayOf(['a\0b'], 'text')]).catch(
      (error: { code?: string }) => error.code,
    );
    assert.is(failure, '22021');
  });
}

test('a value outside the type of the array leaves the array to the text form', () => {
  const outside: readonly (readonly [string, unknown])[] = [
    ['integer', 2 ** 31],
    ['smallint', 40_000],
    ['bigint', 2 ** 53],
    ['bigint', '12'],
    ['integer', 1.5],
    ['bytea', 'text'],
    ['boolean', 'true'],
    ['jsonb', '{}'],
  ];
  for (const [type, value] of outside) assert.is(binaryArrayOf([value], type), undefined, `${type} ${String(value)}`);
});

test.run();
