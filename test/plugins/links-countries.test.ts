// Route rules by country: invalid codes are refused with the correct code.
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { openLinksBench } from '../support/links-bench.ts';

const to = 'https://example.com/spring';

const wrong: readonly (readonly [code: string, right: string])[] = [
  ['UK', 'write GB.'],
  ['en', 'write GB, or US.'],
  ['AN', 'write CW, SX or BQ.'],
  ['XX', 'write two letters, such as DE.'],
  ['ZZ', 'write two letters, such as DE.'],
  ['Germany', 'write two letters, such as DE.'],
  ['ＤＥ', 'write two letters, such as DE.'],
  ['', 'write two letters, such as DE.'],
];

await twoDatabases('countries of short links', (test, database) => {
  test('a rule for an unknown country code is refused with the correct code', async () => {
    const { test: kit } = await openLinksBench(database);
    try {
      const detailsFor = async (country: string) => {
        const routeRules = [{ match: { kind: 'country', values: ['DE', country] }, destinationUrl: to }];
        const { status, body } = await kit.request('/v1/links', { body: { destinationUrl: to, routeRules } });
        const [detail] = body.error?.details ?? [];
        return { status, path: detail?.path, message: detail?.message };
      };
      for (const [country, right] of wrong) {
        const { status, path, message } = await detailsFor(country);
        assert.equal([status, path], [422, 'routeRules.0.match.values.1'], country);
        assert.ok(message.endsWith(right), message);
      }
      for (const country of ['XK', 'gb', 'BQ', 'SV']) assert.is((await detailsFor(country)).status, 201, country);
    } finally {
      await kit.close();
    }
  });
});
