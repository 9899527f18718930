// The words of search_tools: which forms count as one word, and which words must stay separate.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { standardPlugins } from '../../plugins/index.ts';
import { concepts } from '../../plugins/operations/search/concepts.ts';
import { verbWords } from '../../plugins/operations/search/verbs.ts';
import { stemOf } from '../../plugins/operations/search/words.ts';

const test = suite('operations: words of the search');

test('the forms of a word have one stem', () => {
  const words = [
    'deliver delivers delivered delivering delivery deliveries',
    'register registered registering registration registrant',
    'filter filters filtered filtering',
    'trigger triggered triggering',
    'answer answered answering',
    'analytics analysis',
    'mail mails email emails',
    'banner banners',
    'customer customers',
  ];
  for (const line of words) assert.is(new Set(line.split(' ').map(stemOf)).size, 1, line);
});

test('a word with an ending of its own is not reduced to a shorter word', () => {
  const pairs = [
    ['news', 'new'],
    ['mailing', 'mail'],
    ['former', 'form'],
    ['reader', 'read'],
    ['readers', 'read'],
    ['poster', 'post'],
    ['posters', 'posts'],
    ['banner', 'ban'],
    ['header', 'head'],
    ['settings', 'set'],
    ['customer', 'custom'],
    ['subscriber', 'subscribe'],
    ['sender', 'send'],
  ] as const;
  for (const [longer, shorter] of pairs) assert.is.not(stemOf(longer), stemOf(shorter), `${longer}, ${shorter}`);
});

test('two words of different concepts have different stems', () => {
  const lines = concepts.map((line) => new Set(line.split(' ')));
  const words = [...new Set(concepts.flatMap((line) => line.split(' ')))];
  const colliding = words.flatMap((one, at) =>
    words
      .slice(at + 1)
      .filter((other) => stemOf(one) !== undefined && stemOf(one) === stemOf(other))
      .filter((other) => !lines.some((line) => line.has(one) && line.has(other)))
      .map((other) => `${one}, ${other}`),
  );
  assert.equal(colliding, []);
});

test('the first word of each tool has the synonyms that users write', () => {
  const firstWords = standardPlugins.flatMap(({ operations }) =>
    operations.flatMap(({ tool }) => (tool === undefined ? [] : [tool.name.split('_')[0] ?? ''])),
  );
  assert.ok(firstWords.length > 100);
  assert.equal([...new Set(firstWords)].filter((word) => !(word in verbWords)).sort(), []);
});

test.run();
