// The options of the links plugin. Data only; read by plugin.ts.
import type { GeoReader } from './port/geo-reader.ts';
import type { LinkTexts } from './redirect/texts.ts';

/** The content delivery networks whose headers name a visitor's country and city. */
export type CdnName = 'cloudflare' | 'cloudfront' | 'vercel' | 'fastly' | 'netlify' | 'google';

/** Options of `linksPlugin`. */
export interface LinksOptions {
  /**
   * The origin of the short host, such as `https://go.example.com`: links are `<shortUrl>/<slug>`, and requests to this host
   * serve them. (Default: none; links are `<publicUrl>/l/<slug>`)
   */
  readonly shortUrl?: string;
  /**
   * Serves links on the short domains that the program adds with `service.links.addDomain`: `/{slug}` is then looked up on every
   * host except the host of `publicUrl`. (Default: false)
   */
  readonly customDomains?: boolean;
  /** The URL to which archived links redirect. (Default: `/l`, a page of the service that says that the link is archived) */
  readonly landingUrl?: string;
  /**
   * `buffered`: a redirect never waits for its record, and a killed process loses the clicks of the last `flushMs`.
   * `before-answer`: the click is stored before the visitor is redirected, and no click is lost; a visitor gets 503 while the
   * database cannot be written. (Default: buffered)
   */
  readonly recordClicks?: 'buffered' | 'before-answer';
  /** The time for which clicks wait to be written together, in milliseconds, 10 to 10,000. (Default: 250) */
  readonly flushMs?: number;
  /**
   * The network in front of the service whose headers name the visitor's country and city. Set it only if every request comes
   * through the network; otherwise visitors could claim any country. (Default: no network is trusted)
   */
  readonly cdn?: CdnName;
  /**
   * Finds country and city of an address, such as `maxmindGeo({ file })`. Used if the headers of `cdn` name no country. (Default:
   * none)
   */
  readonly geo?: GeoReader;
  /**
   * The pages of links in further languages, by BCP 47 tag, or other words in place of a built-in language. The browser's
   * Accept-Language header selects the language.
   */
  readonly texts?: Readonly<Record<string, LinkTexts>>;
  /** The price of a link, in credits. (Default: 1) */
  readonly price?: number;
}
