// Words in the form that the index contains: lower case, without endings and without stop words. Pure.

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Stop words of a request: they fit every operation. */
const stopWords = wordSet(
  'a about actually after ago all already also although am an and another any anything are around as at away back be because been before ' +
    'being both but by can could day days did do does doing done during each either else end enough even ever every few for from further get ' +
    'gets getting give given gives go goes going gone good got had half has have having he her here hers him his how however i if in into is ' +
    'it its itself just keep later least let like little lot make made many may maybe me might mine moment more most much must my need ' +
    'needs neither nor not nothing now of off often ok on once one ones only onto or other our ours out over own per perhaps please pls quite ' +
    'rather really right same say says seem several shall she should since so some something soon still stuff such sure than that the their ' +
    'theirs them then there these they thing things this those though three through to today together too two under until up upon us use used ' +
    'very via want wants was way we well went were what when where whether which while who whole whom whose why will with within without ' +
    'would yes yet you your yours thanks hello hi hey dear guys um okay monday tuesday wednesday thursday friday saturday sunday january february march april ' +
    'june july august september october november december yesterday tonight tomorrow week month year hour minute last next first second',
);

/**
 * Words that keep their ending, because a poster is not a post and a customer is not custom. Their plurals lose only
 * the s.
 */
const unstemmed = wordSet(
  'analytics approver banner customer data former header left letter mailing marketing news poster reader receiver reviewer sender settings ' +
    'sms spender subscriber',
);

/** Forms that the rules about endings do not cover. */
const irregular = new Map(
  (
    'email:mail emails:mail mails:mail sent:send wrote:write written:write bought:buy told:tell paid:pay built:build chose:choose chosen:choose began:begin begun:begin ' +
    'ran:run saw:see seen:see shown:show found:find held:hold lost:lose meant:mean met:meet said:say sold:sell ' +
    'spent:spend stood:stand taken:take took:take taught:teach thought:think woke:wake won:win broke:break broken:break came:come ' +
    'drew:draw drawn:draw fell:fall fallen:fall gave:give knew:know known:know forgot:forget forgotten:forget hid:hide hidden:hide ' +
    'kept:keep children:child men:man women:woman statistics:statistic stats:statistic ' +
    'analysis:analytics pics:picture pic:picture photos:photo videos:video unsubscription:unsubscribe subscription:subscribe ' +
    'subscriptions:subscribe delivery:deliver deliveries:deliver approval:approve approvals:approve registration:register ' +
    'registrations:register registrant:register suggestion:suggest suggestions:suggest confirmation:confirm confirmations:confirm ' +
    'decision:decide decisions:decide permission:permit permissions:permit publication:publish submission:submit submissions:submit ' +
    'complaint:complain complaints:complain reply:reply replies:reply performance:perform performing:perform deletion:delete ' +
    'removal:remove translation:translate cancellation:cancel canceled:cancel cancelled:cancel cancelling:cancel tweeted:tweet'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

const vowel = /[aeiouy]/;

/**
 * Removes an ending if a vowel remains, so that `templates` and `template`, `publishing` and `published` become equal.
 */
function withoutEnding(word: string): string {
  const ends = (ending: string) => word.endsWith(ending) && vowel.test(word.slice(0, -ending.length));
  if (word.length <= 3 || word.endsWith('ss') || word.endsWith('us')) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.endsWith('sses') || /(x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith('s')) return withoutEnding(word.slice(0, -1));
  if (ends('ing')) return withoutEr(undouble(word.slice(0, -3)));
  if (ends('ed')) return withoutEr(undouble(word.slice(0, -2)));
  return withoutEr(word);
}

/** Removes -er even if the verb has no -ed or -ing, so that `deliver`, `delivered` and `delivery` become equal. */
const withoutEr = (word: string): string =>
  word.length > 5 && word.endsWith('er') && vowel.test(word.slice(0, -2)) ? undouble(word.slice(0, -2)) : word;

/** `stopp` becomes `stop`; `call` stays. */
const undouble = (word: string): string => (/([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word);

/** Makes -isation and -ization equal to -ise, and drops a final e. */
const withoutSpellingVariants = (word: string): string =>
  word.length > 3 ? word.replace(/isation$|ization$/, 'ise').replace(/e$/, '') : word;

function formOf(word: string): string {
  if (unstemmed.has(word)) return word;
  const singular = word.replace(/s$/, '');
  if (unstemmed.has(singular)) return singular;
  const usual = irregular.get(word) ?? word;
  if (unstemmed.has(usual)) return usual;
  return withoutSpellingVariants(withoutEnding(usual.replace(/^enroll/, 'enrol').replace(/colour/, 'color')));
}

/** The form of a word in the index; undefined for a stop word. */
export function stemOf(word: string): string | undefined {
  const lower = word.toLowerCase();
  return stopWords.has(lower) ? undefined : formOf(lower);
}

/**
 * The text with a word such as `url` in place of each URL, address or phone number, and with camelCase split into
 * words.
 */
export const plainNames = (text: string): string =>
  text
    .replace(/https?:\/\/\S+/gi, ' url ')
    .replace(/[^\s@]+@[^\s@]+\.[a-z]+/gi, ' address ')
    .replace(/\+\d[\d ()/-]{6,}/g, ' phone ')
    .replace(/([a-z])([A-Z])/g, '$1 $2');

/** Words of a text. Names are split at underscores and at capitals. */
export const wordsOf = (text: string): string[] =>
  plainNames(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 && !/^\d+$/.test(word));
