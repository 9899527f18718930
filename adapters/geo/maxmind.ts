// Country and city of addresses from the program's MaxMind database file (GeoLite2 City, GeoIP2 City or Country), read by
// mmdb-lib. Nothing is opened before the first use.

import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { type CityResponse, Reader } from 'mmdb-lib';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import type { GeoReader } from '../../plugins/links/port/index.ts';

/** Options of `maxmindGeo`. */
export interface MaxmindGeoOptions {
  /** The path of the `.mmdb` file. The whole file is read into memory once. */
  readonly file: string;
}

/** Finds countries and cities in a MaxMind file: `linksPlugin({ geo: maxmindGeo({ file: 'GeoLite2-City.mmdb' }) })`. */
export function maxmindGeo(options: MaxmindGeoOptions): GeoReader {
  checkOptions<MaxmindGeoOptions>('maxmindGeo', options, { file: 'required' });
  const { file } = options;
  let reader: Reader<CityResponse> | undefined;
  return {
    async open() {
      reader ??= new Reader<CityResponse>(await readFile(file));
    },
    find(address) {
      if (reader === undefined || isIP(address) === 0) return undefined;
      const record = reader.get(address);
      if (record === null) return undefined;
      // The types declare `names`, but files of other vendors may lack it.
      const city = record.city as { readonly names?: { readonly en?: string } } | undefined;
      return { country: record.country?.iso_code, city: city?.names?.en };
    },
  };
}
