// Country and city of a visitor: from the headers of the network in front of the service if the program named it, or from the
// program's own geo reader.
import { beginning, isCountry } from '../../../core/unstable.ts';
import type { CdnName, LinksOptions } from '../options.ts';
import type { GeoLocation, GeoReader } from '../port/geo-reader.ts';

type Headers = Readonly<Record<string, string | undefined>>;

/**
 * The headers of each network, as their operators document them. CloudFront, Fastly and Google send them only if the program
 * configured them under these names.
 */
const networks: Readonly<Record<CdnName, { readonly country: string; readonly city: string | undefined }>> = {
  cloudflare: { country: 'cf-ipcountry', city: 'cf-ipcity' },
  cloudfront: { country: 'cloudfront-viewer-country', city: 'cloudfront-viewer-city' },
  vercel: { country: 'x-vercel-ip-country', city: 'x-vercel-ip-city' },
  fastly: { country: 'fastly-client-country', city: 'fastly-client-city' },
  netlify: { country: 'x-country', city: 'x-city' },
  google: { country: 'x-client-geo-country', city: 'x-client-geo-city' },
};

/** Ignores codes that are not countries: unknown, Tor, anonymous and satellite networks. */
const countryOf = (text: string | undefined): string | undefined => {
  const code = text?.trim().toUpperCase();
  return code !== undefined && isCountry(code) ? code : undefined;
};

/** Vercel and Cloudflare percent-encode names beyond ASCII. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const cityOf = (text: string | undefined): string | undefined => {
  const name =
    text === undefined
      ? ''
      : decoded(text)
          .replace(/[\p{Cc}\p{Cs}]/gu, '')
          .trim();
  return name === '' ? undefined : beginning(name, 100);
};

/** The values of a request that can show its location. */
export interface LocationHints {
  readonly country: string | undefined;
  readonly city: string | undefined;
  readonly address: string | undefined;
}

export interface LocationFinder {
  hints(headers: Headers, address: string | undefined): LocationHints;
  find(hints: LocationHints): GeoLocation;
}

/** Ignores errors of the program's reader, so that neither the visitor nor the click waits for it. */
function locationOf(geo: GeoReader, address: string): GeoLocation | undefined {
  try {
    return geo.find(address);
  } catch {
    return undefined;
  }
}

/** @throws TypeError for an unknown network */
export function createLocationFinder({ cdn, geo }: LinksOptions): LocationFinder {
  const names = cdn === undefined ? undefined : networks[cdn];
  if (cdn !== undefined && names === undefined)
    throw new TypeError(`linksPlugin: cdn is one of ${Object.keys(networks).join(', ')}, not "${cdn}".`);
  return {
    hints: (headers, address) => ({
      country: names === undefined ? undefined : headers[names.country],
      city: names?.city === undefined ? undefined : headers[names.city],
      address,
    }),
    find({ country, city, address }) {
      const fromHeaders = { country: countryOf(country), city: cityOf(city) };
      if (fromHeaders.country !== undefined || geo === undefined || address === undefined) return fromHeaders;
      const geoLocation = locationOf(geo, address);
      return { country: countryOf(geoLocation?.country), city: cityOf(geoLocation?.city) };
    },
  };
}
