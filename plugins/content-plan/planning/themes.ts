// The first gate: the themes of the week.
import { type JobContext, z } from '../../../core/index.ts';
import { shortened } from '../../../core/unstable.ts';
import { plainSentences } from '../../kit/brief-sentences.ts';
import type { PlanRunRow, Theme } from '../runs/tables.ts';
import { gatePrompt, instructionsOf, type PlanKnowledge, plannedEntriesText } from './knowledge.ts';

const themesForm = z.strictObject({
  themes: z
    .array(
      z.strictObject({
        title: z.string().min(1).max(200),
        reason: z.string().max(500).describe('Why this week.'),
        news: z.int().min(0).nullable().describe('The position of the news that it comes from: the first is 0.'),
      }),
    )
    .min(1)
    .max(10),
});
type ThemesReply = z.output<typeof themesForm>;

/** Themes that fit any company, for a run without a brief, themes and liked news. */
const anySubjects = ['What we are working on', 'A question that customers ask', 'A tip from practice'];

/** The themes if there is no model: the caller's themes; otherwise news with a positive score and sentences of the brief. */
function embeddedThemes({ themes, brief }: PlanRunRow, { news }: PlanKnowledge): ThemesReply {
  const themeOf = (title: string) => ({ title: shortened(title, 200), reason: '', news: null });
  if (themes.length > 0) return { themes: themes.map(themeOf) };
  const liked = news.flatMap(({ title, score }, index) =>
    score > 0 ? [{ title: shortened(title, 200), reason: 'People here voted for this news.', news: index }] : [],
  );
  const fallbackThemes = [
    ...liked.slice(0, 2),
    ...plainSentences(brief ?? '')
      .slice(0, 3)
      .map(themeOf),
  ];
  return { themes: fallbackThemes.length > 0 ? fallbackThemes : anySubjects.map(themeOf) };
}

/** The faults of an answer. */
function faultsOf({ themes }: ThemesReply, run: PlanRunRow, knowledge: PlanKnowledge): string[] {
  const titles = themes.map(({ title }) => title.toLowerCase());
  return [
    ...themes.flatMap(({ news }, index) =>
      news === null || knowledge.news[news] !== undefined ? [] : [`themes.${index}.news: there is no news ${news}.`],
    ),
    ...run.themes.flatMap((callerTheme) =>
      titles.some((title) => title.includes(callerTheme.toLowerCase()))
        ? []
        : [`themes: the theme ${JSON.stringify(callerTheme)} is missing, or its title has other words.`],
    ),
  ];
}

/** Proposes the themes. @throws compose_failed, provider_timeout */
export async function planThemes(
  ctx: JobContext,
  run: PlanRunRow,
  knowledge: PlanKnowledge,
): Promise<readonly Theme[]> {
  const news = knowledge.news.map(({ title, source, score }, index) => ({ index, title, source, score }));
  const { themes } = await ctx.services.writer.write(ctx, {
    kind: 'content_plan_themes',
    what: 'the themes',
    form: themesForm,
    instructions: instructionsOf(run, knowledge, [
      run.themes.length === 0
        ? 'Propose three to five themes for the week.'
        : 'The caller names the themes. Keep each of them, with its words in the title, in this order; add none.',
    ]),
    // Third parties wrote the news, so it belongs to the brief, not to the instructions.
    brief: [
      gatePrompt(run, 'themes'),
      `The market news, with the votes of the people here: ${JSON.stringify(news)}`,
      plannedEntriesText(knowledge),
    ].join('\n\n'),
    faultsOf: (answer) => faultsOf(answer, run, knowledge),
    embedded: () => embeddedThemes(run, knowledge),
  });
  return themes.map(({ title, reason, news: index }, position) => ({
    id: `t${position + 1}`,
    title,
    reason,
    newsId: index === null ? null : (knowledge.news[index]?.id ?? null),
  }));
}
