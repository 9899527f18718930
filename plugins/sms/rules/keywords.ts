// What people answer to a message to stop it: whole messages of one word, as carriers define them. Pure.

const stop: ReadonlySet<string> = new Set([
  'STOP',
  'STOPALL',
  'UNSUBSCRIBE',
  'CANCEL',
  'END',
  'QUIT',
  'REVOKE',
  'OPTOUT',
]);
const start: ReadonlySet<string> = new Set(['START', 'UNSTOP']);
const help: ReadonlySet<string> = new Set(['HELP', 'INFO']);

/** What a message asks for; undefined for any other text. */
export type Keyword = 'stop' | 'start' | 'help';

/** A longer one says more than a keyword. */
const longestReply = 200;

/** Any case, without spaces and punctuation around it. `Please STOP` is no such message: it may mean something else. */
export function keywordOf(text: string): Keyword | undefined {
  if (text.length > longestReply) return undefined;
  const word = text
    .normalize('NFKC')
    .replace(/^[\s\p{P}\p{Cf}]+|[\s\p{P}\p{Cf}]+$/gu, '')
    .toUpperCase();
  if (stop.has(word)) return 'stop';
  if (start.has(word)) return 'start';
  return help.has(word) ? 'help' : undefined;
}
