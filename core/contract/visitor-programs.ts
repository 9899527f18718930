// Tells programs from people by what a request says of its client: one judge for whatever counts visitors and readers. It keeps
// nothing. Pure.
import { isbot } from 'isbot';

/** The sign in a client's name that it is a program. */
export type ProgramSign = 'no_user_agent' | 'known_scanner' | 'known_library' | 'known_bot';

/** Programs that check mail, and where it leads, before people see it. Some browsers of people have `Bitdefender` in their names. */
const scanners =
  /barracuda|mimecast|proofpoint|symantec|messagelabs|fireeye|trellix|trend ?micro|sophos|ironport|zscaler|forcepoint|bitdefender(?! ?(?:safepay|browser))|fortinet|avanan|vade ?secure|cloudmark|urlscan|safelinks|existence discovery|cisco.?(?:email|esa)|\begress|tessian|hornetsecurity|mailguard|spamhaus|phishtank|virustotal/i;

/** Libraries for programs: no mail program or browser begins its name so. */
const libraries =
  /^(?:curl|wget|python|go-http-client|java\/|libwww|axios|node|undici|ruby|perl|php|guzzle|apache-httpclient|okhttp|postman|dart|deno|bun\/|got |rest-client|faraday|httpie|insomnia|reqwest|hyper\/)/i;

/** Programs in which people read mail, and the services that fetch its pictures when they do. */
const readers =
  /GoogleImageProxy|YahooMailProxy|^(?:Outlook-(?:iOS|Android)|MacOutlook|Microsoft Office|Microsoft Outlook|Thunderbird|Airmail|eM ?Client|The Bat!|K-9 Mail|BlueMail|Spark|Evolution|Postbox|Lotus-Notes|Samsung Email)\b/i;

/** The model of a phone, which may be called SPIDER. */
const model = /(\([^()]{0,40}Android [^;()]{1,20}; (?:[a-z]{2}[-_][a-z]{2}; )?)[^;()]+(?=[;)])/i;

/** Longer ones are cut: no browser has such a name. */
const longest = 500;

const ahead = /prefetch|prerender|preview/i;
const aheadHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/** Whether the client asks before a person does, and says so. The names of the headers are in lower case. */
export const isAskedAhead = (headers: Readonly<Record<string, string | undefined>>): boolean =>
  aheadHeaders.some((name) => ahead.test(headers[name] ?? ''));

/** The sign in a User-Agent; undefined where it may be a person's. */
export function programNamed(userAgent: string | undefined): ProgramSign | undefined {
  const name = (userAgent ?? '').slice(0, longest).trim();
  if (name === '') return 'no_user_agent';
  if (scanners.test(name)) return 'known_scanner';
  if (libraries.test(name)) return 'known_library';
  return !readers.test(name) && isbot(name.replace(model, '$1')) ? 'known_bot' : undefined;
}
