// Shopify's Liquid, by a published corpus of templates with their results (jg-rp/golden-liquid): each renders to its result, or
// differs for a reason that docs/templates.md gives. POSTRIDER_TEST_CORPORA names the folder of the corpora.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isTemplateFault } from '../../../plugins/templates/language/fault.ts';
import { parseTemplate } from '../../../plugins/templates/language/liquid.ts';

interface Case {
  readonly name: string;
  readonly template: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly result?: string;
  readonly results?: readonly string[];
  readonly invalid?: boolean;
  readonly tags?: readonly string[];
}

/** Reasons for which whole groups of templates are refused, by the message. */
const refusals: Readonly<Record<string, RegExp>> = {
  'an absent variable is a fault, unless it is tested or has a default': /^There is no variable `/,
  'other templates are not read, and nothing counts across them':
    /^There is no tag `(?:include|render|increment|decrement)`/,
  'markup is written out, and comments are `comment`': /^There is no tag `(?:tablerow|ifchanged|doc|endcomment)`/,
  'nothing is encoded for machines': /^There is no filter `base64_/,
  'an object has no text': /^An object cannot be printed|^The filter `(?:join|replace)` cannot work with this value/,
};

/** The other differences, by the beginning of the name. */
const explained: Readonly<Record<string, readonly string[]>> = {
  'names may begin with a hyphen and end in a question mark, and a point may stand before an index': [
    ...[
      'identifiers, capture leading hyphen',
      'identifiers, leading hyphen',
      'identifiers, trailing question mark assign',
    ],
    'output, chained identifier dot separated index',
  ],
  'a path begins with a name and has no space in it': [
    ...['output, bracketed variable resolves', 'output, nested bracketed variable', 'output, whitespace between'],
  ],
  'a block prints the space that it contains': [
    ...[
      'whitespace control, suppress whitespace',
      'tags, for, blank empty loops',
      'tags, if, blocks that contain only',
    ],
    'tags, unless, blocks that contain only whitespace',
  ],
  'each value of `case` runs one branch once, and `else` comes last': [
    ...['tags, case, evaluate multiple', 'tags, case, falsy when before', 'tags, case, mix or and comma'],
    ...['tags, case, multiple else', 'tags, case, truthy when before', 'tags, case, empty when tag'],
    'tags, case, unexpected when token, strict2',
  ],
  'what follows an `else` is refused': [
    'tags, if, else tag expressions',
    'tags, if, extra else',
    'tags, if, extra elsif',
  ],
  'texts that are numbers compare as numbers': ['tags, if, string greater than int'],
  'the operator is `!=`': ['tags, if, alternate not equal condition'],
  '`date` without a format writes the whole date': ['filters, date, missing argument'],
  '`raw` has no space control': ['whitespace control, white space control with raw tags'],
  'an element that is no object has no property, and is no fault': [
    ...[
      'filters, find, array of hashes, with a nil',
      'filters, has, array of hashes, with a nil',
      'filters, has, array of ints',
    ],
    ...['filters, has, mixed array', 'filters, find, mixed array', 'filters, find index, mixed array'],
    ...['filters, reject, array containing', 'filters, where, left value is not an array'],
  ],
  '`not` is an operator': ['tags, if, not is not a valid operator'],
  'documentation is no tag': ['tags, doc, doc'],
};

const escaping = ['escape filter', 'escape_once filter', 'newline_to_br filter'];

function outcomeOf({ template, data = {}, tags = [] }: Case): { text?: string; message?: string } {
  try {
    return {
      text: parseTemplate(template, tags.some((tag) => escaping.includes(tag)) ? 'html' : 'plain').render(data),
    };
  } catch (error) {
    assert.ok(isTemplateFault(error), `${template}: ${String(error)}`);
    return { message: error.message };
  }
}

const test = suite('templates: the corpus of Liquid');

const folder = process.env.POSTRIDER_TEST_CORPORA;
const file = join(folder ?? '', 'liquid', 'golden_liquid.json');
if (folder === undefined || !existsSync(file)) {
  console.log('# left out: the corpus of Liquid templates (POSTRIDER_TEST_CORPORA names no folder with it)');
  test('parses a template without the corpus', () => {
    assert.is(parseTemplate('{{ 9 | divided_by: 2 }}', 'plain').render({}), '4');
  });
} else {
  const { tests } = JSON.parse(readFileSync(file, 'utf8')) as { readonly tests: readonly Case[] };
  test('each template has its result, or an explained difference', () => {
    const used = new Set<string>();
    const unexplained: string[] = [];
    let same = 0;
    for (const one of tests) {
      const { text, message } = outcomeOf(one);
      if (
        one.invalid ? text === undefined : text !== undefined && [...(one.results ?? []), one.result].includes(text)
      ) {
        same += 1;
        continue;
      }
      const [refused] =
        Object.entries(refusals).find(([, pattern]) => message !== undefined && pattern.test(message)) ?? [];
      const [reason] =
        Object.entries(explained).find(([, names]) => names.some((name) => one.name.startsWith(name))) ?? [];
      const why = reason ?? refused;
      if (why === undefined) unexplained.push(`${one.name}: ${one.template} → ${text ?? message}, not ${one.result}`);
      else used.add(why);
    }
    assert.equal(unexplained, []);
    assert.equal(
      [...Object.keys(refusals), ...Object.keys(explained)].filter((reason) => !used.has(reason)),
      [],
      'reasons that explain nothing any more',
    );
    assert.ok(tests.length >= 1_000 && same >= 780, `${same} of ${tests.length}`);
  });
}

test.run();
