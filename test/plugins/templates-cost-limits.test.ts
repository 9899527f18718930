// Limits on the cost of one template and of all templates of a process: memory by weight, work by distinct contents.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { checkSourceCost, compileContents } from '../../plugins/templates/authoring/authoring.ts';
import { contentsOf, draftContract, type WorkingCopy } from '../../plugins/templates/authoring/contents.ts';
import { createTemplateCompiler } from '../../plugins/templates/compiler/compiler.ts';
import { CompileMemo, compileMail } from '../../plugins/templates/language/compile.ts';
import { TEMPLATE_STEP_LIMIT } from '../../plugins/templates/language/limits.ts';
import { countSteps } from '../../plugins/templates/language/source-work.ts';
import {
  compileContract,
  createCompiledTemplate,
  estimatedBytes,
  RecentlyUsed,
} from '../../plugins/templates/rendering/compiled-template.ts';

const languages = [...'abcdefghijklmnopqrstuvwxy'].map((letter) => `a${letter}`);
const copy = (more: Partial<WorkingCopy>): WorkingCopy => ({
  ...{ kind: null, mode: 'html', body: '<p>{{ name }}</p>', text_part: null, subject: 'Hi', preview_text: '' },
  ...{ variables: null, locale: null, locales: null, ...more },
});
const heavy = (many: number) =>
  copy({
    locales: JSON.stringify(
      Object.fromEntries(languages.map((tag) => [tag, { body: `<p>${tag}${'{{ a }}'.repeat(many)}</p>` }])),
    ),
  });
const codeOf = (work: () => void) => {
  try {
    work();
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

test('a cache has a byte limit and evicts the least recently used entry first', () => {
  const memory = new RecentlyUsed<string>(100);
  memory.set('a', 'a', 40);
  memory.set('b', 'b', 40);
  memory.get('a');
  memory.set('c', 'c', 40);
  assert.equal([memory.get('a'), memory.get('b'), memory.get('c')], ['a', undefined, 'c']);
  memory.set('whale', 'w', 101);
  assert.equal([memory.get('whale'), memory.size], [undefined, 2]);
  for (let round = 0; round < 10; round++) memory.set('a', 'a', 40);
  assert.is(memory.size, 2);
  memory.set('d', 'd', 100);
  assert.equal([memory.get('d'), memory.size], ['d', 1]);
});

test('the weight of a template includes the memory of its parsed tags', () => {
  const weigh = (html: string) => estimatedBytes({ subject: '', previewText: '', text: '', html });
  assert.ok(weigh('{{ a }}'.repeat(4_900)) > 5_000_000);
  assert.ok(weigh('x'.repeat(34_300)) < 100_000);
});

test('the number of steps does not depend on the content of a tag', () => {
  assert.is(countSteps('{ a } {{ a }} {% if b %}{%- endif -%}'), 3);
  assert.is(countSteps(`{{ "}}" ${'| append: a '.repeat(320)} }}`), Math.ceil((10 + 12 * 320 + 1) / 32));
  assert.is(countSteps(`{% # " %}${'{{a}}'.repeat(100)}`), 101);
  assert.is(countSteps(`{% liquid\n${'echo a\n'.repeat(500)}%}`) >= 500, true);
  assert.is(countSteps('{{'.repeat(1_000)), 1_000);
});

test('the total of all languages is limited, and checked before any of them is parsed', () => {
  const many = Math.ceil(TEMPLATE_STEP_LIMIT / languages.length);
  const [fits, tooMuch] = [heavy(many - 2), heavy(many)];
  checkSourceCost(fits, contentsOf(fits));
  assert.equal(draftContract(fits, undefined).required, ['name', 'a']);
  assert.is(
    codeOf(() => checkSourceCost(tooMuch, contentsOf(tooMuch))),
    'template_invalid',
  );
  assert.equal(draftContract(tooMuch, undefined).required, []);
});

test('a layout counts once for each language that uses it', () => {
  const working = heavy(1);
  const contract = draftContract(copy({ body: '' }), undefined);
  const body = `<html><body>${'{{ a }}'.repeat(400)}{% content %}</body></html>`;
  const layout = { key: 'l', templateId: 'tpl_l', version: 1, mode: 'html', body, text: null, contract } as const;
  checkSourceCost(working, contentsOf(working));
  assert.is(
    codeOf(() => checkSourceCost(working, contentsOf(working), layout)),
    'template_invalid',
  );
});

test('rendering yields to the event loop only after parts with much work', async () => {
  const part = (rounds: number) => `{% for i in (1..${rounds}) %}{{ i }}{% endfor %}`;
  const turnsOf = async (rounds: number) => {
    const { html, text, ...more } = { subject: '', previewText: '', html: part(rounds), text: part(rounds) };
    const contract = compileContract({ type: 'object', properties: {}, required: [], additionalProperties: false });
    const template = createCompiledTemplate({ ...more, html, text, ...contract });
    let turns = 0;
    const count = (): void => {
      turns += 1;
      waiting = setImmediate(count);
    };
    let waiting = setImmediate(count);
    await template.render({}, 0);
    clearImmediate(waiting);
    return turns;
  };
  assert.is(await turnsOf(50), 0);
  assert.ok((await turnsOf(9_900)) >= 2);
});

test('the contract of equal contents is inferred once', () => {
  const working = copy({ body: '<p>{{ once }}</p>' });
  assert.is(draftContract(working, undefined), draftContract({ ...working }, undefined));
  assert.is.not(draftContract(working, undefined), draftContract({ ...working, subject: '{{ b }}' }, undefined));
});

test('languages with the same body compile it once, but each in its own language', async () => {
  const memo = new CompileMemo();
  const base = { mode: 'mjml', body: '<mjml><mj-body></mj-body></mjml>', previewText: 'P' } as const;
  for (const lang of ['de', 'fr', undefined]) {
    const subject = `{{ in_${lang} }}`;
    const mail = await compileMail({ ...base, subject, ...(lang === undefined ? {} : { lang }) }, memo);
    const alone = await compileMail({ ...base, subject, ...(lang === undefined ? {} : { lang }) });
    assert.equal(mail, alone);
  }
  assert.equal([memo.parts.size, memo.bodies.size, memo.texts.size], [1, 1, 1]);
  // A body without a title gets the subject as its title, so each language is checked separately.
  assert.is(memo.checked.size, 3);
});

test('an error in a body that several languages share is reported once', async () => {
  const templateCompiler = createTemplateCompiler();
  const working = copy({
    body: '<script></script>',
    locales: JSON.stringify({ de: { subject: 'D' }, fr: { subject: 'F' } }),
  });
  try {
    const by = { workspace: { id: 'w' }, signal: undefined, services: { templateCompiler } };
    await compileContents(by, working, contentsOf(working), undefined);
    assert.unreachable();
  } catch (error) {
    assert.is((error as { details?: readonly unknown[] }).details?.length, 1);
  } finally {
    await templateCompiler.stop();
  }
});

test.run();
