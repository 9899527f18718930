// Distinguishes programs from people by the headers of a request. Used by all code that counts visitors and readers. Stores
// nothing. Pure.
import { isbot } from 'isbot';

/** The sign by which a client was recognised as a program. */
export type ProgramSign = 'no_user_agent' | 'known_scanner' | 'known_library' | 'known_bot';

/** Programs that check mail and its URLs before people see it. The names of some people's browsers contain `Bitdefender`. */
const scanners =
  /barracuda|mimecast|proofpoint|symantec|messagelabs|fireeye|trellix|trend ?micro|sophos|ironport|zscaler|forcepoint|bitdefender(?! ?(?:safepay|browser))|fortinet|avanan|vade ?secure|cloudmark|urlscan|safelinks|existence discovery|cisco.?(?:email|esa)|\begress|tessian|hornetsecurity|mailguard|spamhaus|phishtank|virustotal/i;

/** HTTP libraries. No mail program or browser has a name that begins like this. */
const libraries =
  /^(?:curl|wget|python|go-http-client|java\/|libwww|axios|node|undici|ruby|perl|php|guzzle|apache-httpclient|okhttp|postman|dart|deno|bun\/|got |rest-client|faraday|httpie|insomnia|reqwest|hyper\/)/i;

/** Programs in which people read mail, and the services that fetch the pictures for them. */
const readers =
  /GoogleImageProxy|YahooMailProxy|^(?:Outlook-(?:iOS|Android)|MacOutlook|Microsoft Office|Microsoft Outlook|Thunderbird|Airmail|eM ?Client|The Bat!|K-9 Mail|BlueMail|Spark|Evolution|Postbox|Lotus-Notes|Samsung Email)\b/i;

/** The model name of a phone. It is removed before the check for bots, because a phone may be called SPIDER. */
const model = /(\([^()]{0,40}Android [^;()]{1,20}; (?:[a-z]{2}[-_][a-z]{2}; )?)[^;()]+(?=[;)])/i;

/** The longest User-Agent, in characters. Longer ones are cut, because no browser has such a name. */
const longest = 500;

const aheadPurposes = /prefetch|prerender|preview/i;
const aheadHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/** Whether the headers declare a request ahead of time, such as a prefetch or a preview. Header names must be in lower case. */
export const isPrefetch = (headers: Readonly<Record<string, string | undefined>>): boolean =>
  aheadHeaders.some((name) => aheadPurposes.test(headers[name] ?? ''));

/** The sign of a program in a User-Agent; undefined if the User-Agent may belong to a person. */
export function programSignOf(userAgent: string | undefined): ProgramSign | undefined {
  const name = (userAgent ?? '').slice(0, longest).trim();
  if (name === '') return 'no_user_agent';
  if (scanners.test(name)) return 'known_scanner';
  if (libraries.test(name)) return 'known_library';
  return !readers.test(name) && isbot(name.replace(model, '$1')) ? 'known_bot' : undefined;
}
