// Locations from a MaxMind file, which the test writes in the format that MaxMind publishes.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { maxmindGeo } from '../../adapters/geo/maxmind.ts';
import { mmdbFile } from '../support/mmdb.ts';

const test = suite('locations from a MaxMind file');

test('the reader finds country and city for networks in the file, and returns nothing for other networks', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-geo-'));
  const file = join(folder, 'places.mmdb');
  await writeFile(
    file,
    mmdbFile({
      '81.2.69.0/24': { country: { iso_code: 'GB' }, city: { names: { en: 'London', de: 'London' } } },
      '5.132.0.0/16': { country: { iso_code: 'AT' }, city: { names: { de: 'Wien' } } },
      '8.8.8.8/32': { country: { iso_code: 'US' } },
      '9.0.0.0/8': { continent: { code: 'EU' } },
    }),
  );
  const geo = maxmindGeo({ file });
  assert.is(geo.find('81.2.69.1'), undefined, 'before the file is opened, a lookup finds nothing');
  await geo.open?.();
  await geo.open?.();
  const cases: [string, object | undefined][] = [
    ['81.2.69.160', { country: 'GB', city: 'London' }],
    ['5.132.7.1', { country: 'AT', city: undefined }],
    ['8.8.8.8', { country: 'US', city: undefined }],
    ['9.1.2.3', { country: undefined, city: undefined }],
    ['8.8.8.9', undefined],
    ['81.2.70.1', undefined],
    ['no address', undefined],
    ['', undefined],
  ];
  for (const [address, location] of cases) assert.equal(geo.find(address), location, address);
  await rm(folder, { recursive: true });
});

test('a missing or broken file is refused when it is opened', async () => {
  const fails = (file: string) =>
    Promise.resolve(maxmindGeo({ file }).open?.()).then(
      () => 'opened',
      (error: unknown) => (error instanceof Error ? 'refused' : 'other'),
    );
  assert.is(await fails('/nowhere/places.mmdb'), 'refused');
  assert.is(await fails(import.meta.filename), 'refused');
});

test.run();
