// The embedded writers on sixty briefs in six languages: facts that a result must contain, and words of the brief that it must not
// contain.
import * as assert from 'uvu/assert';
import { embeddedPost } from '../../plugins/blog/writing/embedded.ts';
import { briefLanguages, languageOf } from '../../plugins/kit/brief-language.ts';
import { plainSentences } from '../../plugins/kit/brief-sentences.ts';
import { placeholdersIn } from '../../plugins/kit/placeholders.ts';
import { embeddedChapter, embeddedOutline } from '../../plugins/lead-magnets/building/embedded.ts';
import { embeddedPlan, embeddedSection } from '../../plugins/pages/build/embedded/compose.ts';
import { composeEmbedded } from '../../plugins/templates/composing/embedded.ts';
import { findShell } from '../../plugins/templates/composing/shell.ts';
import { briefs } from '../support/briefs.ts';
import { oneDatabase } from '../support/databases.ts';

function pageOf(brief: string): string {
  const brand = { name: 'Northwind', voice: undefined, palette: undefined } as never;
  const wishes = { headline: null, objective: null, vibe: null, lengthHint: undefined, ctaLabel: null };
  const setting = { ...wishes, brief, brand, buttonUrl: undefined, form: undefined, count: 12 };
  const plan = embeddedPlan(setting);
  return JSON.stringify([plan, ...plan.sections.map((planned) => embeddedSection(setting, planned, '#sec_1'))]);
}

function mailOf(brief: string): string {
  const shell = findShell('announcement');
  if (shell === undefined) throw new Error('There is no general shell.');
  const setting = {
    name: undefined,
    mode: 'mjml',
    style: undefined,
    includeHeroImage: false,
    isLinked: false,
  } as const;
  const { subject, text } = composeEmbedded({ ...setting, brief, shell, isMarketing: true });
  return JSON.stringify([subject, text]);
}

function magnetOf(brief: string): string {
  const setting = { title: 'Northwind', format: 'guide', brief, tone: null, brand: undefined } as const;
  const plan = embeddedOutline(setting);
  return JSON.stringify([plan, ...plan.map((_, index) => embeddedChapter(setting, plan, index))]);
}

const writers: Readonly<Record<string, (brief: string) => string>> = {
  page: pageOf,
  mail: mailOf,
  post: (brief) => JSON.stringify(embeddedPost(brief, undefined)),
  'lead magnet': magnetOf,
};

await oneDatabase('briefs', (test) => {
  test('there are ten briefs in each language', () => {
    for (const language of briefLanguages)
      assert.is(briefs.filter((brief) => brief.language === language).length, 10, language);
  });

  for (const { language, brief, facts, others } of briefs)
    test(`${language}: ${brief}`, () => {
      assert.is(languageOf(brief), language);
      for (const [writer, write] of Object.entries(writers)) {
        const result = write(brief);
        for (const fact of facts) assert.ok(result.includes(fact), `${writer}: ${fact} is missing in ${result}`);
        for (const other of others) assert.not.ok(result.includes(other), `${writer}: ${other} stands in ${result}`);
        for (const sentence of plainSentences(brief))
          assert.not.ok(result.includes(sentence), `${writer}: the sentence ${sentence} stands in ${result}`);
        assert.ok(placeholdersIn(JSON.parse(result)).length > 0, `${writer}: placeholders`);
        assert.is(write(brief), result, `${writer}: the second result differs`);
      }
    });
});
