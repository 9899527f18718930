// Finds names of feature areas in a file of the core: in identifiers, texts and comments. Called by the guard of features.
import type { Fault, SourceText } from './sources.ts';

/** Words that only plugins need. Webhooks are not included: the core signs them and describes their deliveries. */
const features: ReadonlySet<string> = new Set(
  [
    'contact contacts suppression suppressions suppressed sms sequence sequences template templates inbox newsletter',
    'newsletters campaign campaigns compositions qr blog connector connectors approval approvals survey surveys',
    'links social landing magnet magnets flow flows enrol enrols enrolment enrolments unsubscribe unsubscribes',
    'unsubscribed unsubscription bounce bounces bounced click clicks clicked marketing transactional audience',
    'audiences mjml liquid',
  ].flatMap((words) => words.split(' ')),
);

/** Places where such a word is a term of another standard, or a name that the contract defines. */
const terms: readonly { readonly path: RegExp; readonly word: RegExp; readonly line: RegExp }[] = [
  // MCP: resource templates are patterns of URIs.
  {
    path: /^core\/mcp\//,
    word: /^templates?$/,
    line: /resource ?templates?|resources[./]templates|\btemplates\b.*(exchange|visible|uri)/i,
  },
  // An option of the endpoint's URL.
  { path: /^core\/mcp\/url-options\.ts$/, word: /^templates?$/, line: /./ },
  { path: /^core\/mcp\/methods\.ts$/, word: /^templates?$/, line: /templates=compact/ },
  // RFC 6570, and the routes of OpenAPI.
  { path: /^core\//, word: /^template$/, line: /route template|uriTemplate/ },
  // The answer to a call that waits for approval names its request like this.
  { path: /^core\/contract\/declaration\/held-response\.ts$/, word: /^approvals?$/, line: /./ },
  // HTML: the links of a page. A `link` alone is also a header of HTTP.
  { path: /^core\/(pages\/|unstable\.ts$)/, word: /^links$/, line: /\blinks\b|choiceLinks/i },
  // HTML: the element `template`.
  { path: /^core\/pages\/html-body-bounds\.ts$/, word: /^template$/, line: /noscript script style template title/ },
  // Web addresses in texts that people wrote, for any feature.
  { path: /^core\/contract\/values\/text-links\.ts$/, word: /^links$/, line: /./ },
  // Generated files of programs extend it under this name.
  { path: /^core\/contract\/open\.ts$/, word: /^templates?$/, line: /TemplateVariables|Template key/ },
];

/** Terms of features whose single words have another meaning. */
const phrases = /\b(?:short|tracked) ?links?\b|\b(?:contact|mailing|subscriber) ?lists?\b|\b(?:send|sms) budgets?\b/gi;

const wordsIn = (line: string): string[] =>
  line
    .split(/[^A-Za-z]+/)
    .flatMap((name) => name.split(/(?<=[a-z])(?=[A-Z])/))
    .map((word) => word.toLowerCase());

/** `monthlySendBudget` → `monthly Send Budget`. */
const namesApart = (line: string): string => line.replace(/([a-z])(?=[A-Z])/g, '$1 ').replaceAll('_', ' ');

/** Every line of the core that names a feature, except in code that only tests use. */
export function featureFaults({ path, source }: SourceText): Fault[] {
  if (!path.startsWith('core/')) return [];
  return source.split('\n').flatMap((text, index) => {
    const words = wordsIn(text).filter(
      (word) =>
        features.has(word) &&
        !terms.some((term) => term.path.test(path) && term.word.test(word) && term.line.test(text)),
    );
    const foundWords = [...words, ...(namesApart(text).match(phrases) ?? [])];
    const rule = `The core names no feature, and this line says ${[...new Set(foundWords)].join(', ')}: its plugin declares that.`;
    return foundWords.length === 0 ? [] : [{ path, line: index + 1, rule }];
  });
}
