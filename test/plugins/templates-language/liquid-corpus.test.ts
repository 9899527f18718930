// A published corpus of Shopify's Liquid templates with their results (jg-rp/golden-liquid): each template renders to its result, or
// docs/templates.md explains the difference. POSTRIDER_TEST_CORPORA names the folder of the corpora.
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

/** The reasons for which groups of templates are refused, each with a pattern of its error messages */
const refusals: Readonly<Record<string, RegExp>> = {
  'a missing variable is a fault unless it is tested or has a default': /^There is no variable `/,
  'there are no partials and no counters': /^There is no tag `(?:include|render|increment|decrement)`/,
  'tables are written in HTML, and comments use `comment`': /^There is no tag `(?:tablerow|ifchanged|doc|endcomment)`/,
  'there are no base64 filters': /^There is no filter `base64_/,
  'an object cannot be printed':
    /^An object cannot be printed|^The filter `(?:join|replace)` cannot work with this value/,
};

/** The other differences, each with the beginnings of the names of its templates */
const explanations: Readonly<Record<string, readonly string[]>> = {
  'a name cannot begin with a hyphen or end in a question mark, and a dot cannot precede an index': [
    ...[
      'identifiers, capture leading hyphen',
      'identifiers, leading hyphen',
      'identifiers, trailing question mark assign',
    ],
    'output, chained identifier dot separated index',
  ],
  'a path begins with a name and contains no space': [
    ...['output, bracketed variable resolves', 'output, nested bracketed variable', 'output, whitespace between'],
  ],
  'a block prints its white space': [
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
  'content after an `else` tag is refused': [
    'tags, if, else tag expressions',
    'tags, if, extra else',
    'tags, if, extra elsif',
  ],
  'numeric texts compare as numbers': ['tags, if, string greater than int'],
  'the operator is `!=`': ['tags, if, alternate not equal condition'],
  '`date` without a format writes the whole date': ['filters, date, missing argument'],
  '`raw` has no space control': ['whitespace control, white space control with raw tags'],
  'a property of an element that is not an object is missing, which is not a fault': [
    ...[
      'filters, find, array of hashes, with a nil',
      'filters, has, array of hashes, with a nil',
      'filters, has, array of ints',
    ],
    ...['filters, has, mixed array', 'filters, find, mixed array', 'filters, find index, mixed array'],
    ...['filters, reject, array containing', 'filters, where, left value is not an array'],
  ],
  '`not` is an operator': ['tags, if, not is not a valid operator'],
  'there is no `doc` tag': ['tags, doc, doc'],
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
  test('without the corpus, a template can be parsed', () => {
    assert.is(parseTemplate('{{ 9 | divided_by: 2 }}', 'plain').render({}), '4');
  });
} else {
  const { tests } = JSON.parse(readFileSync(file, 'utf8')) as { readonly tests: readonly Case[] };
  test('each template has its result or an explained difference', () => {
    const usedReasons = new Set<string>();
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
        Object.entries(explanations).find(([, names]) => names.some((name) => one.name.startsWith(name))) ?? [];
      const why = reason ?? refused;
      if (why === undefined) unexplained.push(`${one.name}: ${one.template} → ${text ?? message}, not ${one.result}`);
      else usedReasons.add(why);
    }
    assert.equal(unexplained, []);
    assert.equal(
      [...Object.keys(refusals), ...Object.keys(explanations)].filter((reason) => !usedReasons.has(reason)),
      [],
      'no template has this reason',
    );
    assert.ok(tests.length >= 1_000 && same >= 780, `${same} of ${tests.length}`);
  });
}

test.run();
