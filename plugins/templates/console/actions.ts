// The actions for templates in the console: compose one from a brief, fill in missing texts, publish or ask for an approval, go back to
// an earlier version, send a test.
import type { ConsoleAction, ConsoleContext } from '../../../core/index.ts';
import { actionForm, escapeHtml, type Html, html } from '../../../core/unstable.ts';
import { missingWordsForm, withFilledPlaceholders } from '../../kit/missing-words.ts';
import type { TemplateDetail } from '../schema.ts';
import { languageWords } from './words.ts';

const keyOf = ({ params }: ConsoleContext): string => params['key'] ?? '';

type Texts = TemplateDetail['locales'][string];
type Fields = Readonly<Record<string, string>>;

/** The texts of a template in each of its languages. */
const textsOf = ({ subject, previewText, body, text, locales }: TemplateDetail): Texts[] => [
  { subject, previewText, body, ...(text === null ? {} : { text }) },
  ...Object.values(locales),
];

/** All texts as one text. If several texts have the same placeholder, the form asks for its words only once. */
const wholeText = (template: TemplateDetail): string =>
  textsOf(template)
    .flatMap((texts) => Object.values(texts))
    .join('\n');

/** The texts with the words of the form in place of placeholders. In the body, the words are escaped. */
function fillPlaceholders({ subject, previewText, body, text }: Texts, fields: Fields): Texts {
  const escaped = Object.fromEntries(Object.entries(fields).map(([name, words]) => [name, escapeHtml(words)]));
  return {
    ...(subject === undefined ? {} : { subject: withFilledPlaceholders(subject, fields) }),
    ...(previewText === undefined ? {} : { previewText: withFilledPlaceholders(previewText, fields) }),
    ...(body === undefined ? {} : { body: withFilledPlaceholders(body, escaped) }),
    ...(text === undefined ? {} : { text: withFilledPlaceholders(text, fields) }),
  };
}

export const composeActions: Readonly<Record<string, ConsoleAction>> = {
  compose: {
    async leadTo(ctx, { idempotencyKey, fields: { brief = '', name = '', category = '' } }) {
      const { data } = await ctx.calls.templates.compose(
        {
          prompt: brief,
          ...(name.trim() === '' ? {} : { name: name.trim() }),
          ...(category === 'marketing' || category === 'transactional' ? { category } : {}),
        },
        { idempotencyKey },
      );
      return `templates/${data.key}`;
    },
  },
};

/** The form that composes a template; null if the person may not compose. */
export const composeForm = (ctx: ConsoleContext): Html | null =>
  ctx.mayCall('templates.compose')
    ? actionForm(ctx, 'compose', {
        label: 'New template from a brief',
        question: 'Say what the mail is about and for whom. You get a draft; nothing is sent or published.',
        verb: 'Write the draft',
        inputs: [
          { name: 'brief', label: 'Brief', isLong: true, isRequired: true, maxLength: 4_000 },
          { name: 'name', label: 'Name, for your team', maxLength: 200 },
          {
            name: 'category',
            label: 'Category',
            options: [
              ['', 'As the brief says'],
              ['transactional', 'Transactional'],
              ['marketing', 'Marketing'],
            ],
          },
        ],
      })
    : null;

export const rollbackAction: ConsoleAction = {
  done: 'Done: the earlier version is sent from now on, or it waits for an approval.',
  async run(ctx, { idempotencyKey, fields: { version = '', breaking } }) {
    const allowBreaking = breaking === 'allow';
    const call = { key: keyOf(ctx), version: Number(version), allowBreaking };
    await ctx.calls.templates.rollback(call, { idempotencyKey });
  },
};

export const templateActions: Readonly<Record<string, ConsoleAction>> = {
  write: {
    done: 'The texts were stored in the working copy.',
    async run(ctx, { idempotencyKey, fields }) {
      const template = await ctx.calls.templates.read({ key: keyOf(ctx) });
      const { subject, previewText, body, text, locales } = template;
      const own = fillPlaceholders({ subject, previewText, body, ...(text === null ? {} : { text }) }, fields);
      const others = Object.entries(locales).map(
        ([locale, texts]) => [locale, fillPlaceholders(texts, fields)] as const,
      );
      const content = { ...own, ...(others.length === 0 ? {} : { locales: Object.fromEntries(others) }) };
      await ctx.calls.templates.update({ key: keyOf(ctx), ...content }, { idempotencyKey });
    },
  },
  publish: {
    done: 'Done: the template is published, or waits for an approval. The page below says which.',
    async run(ctx, { idempotencyKey, fields: { breaking } }) {
      const allowBreaking = breaking === 'allow';
      await ctx.calls.templates.publish({ key: keyOf(ctx), allowBreaking }, { idempotencyKey });
    },
  },
  ask: {
    done: 'You have asked for an approval.',
    async run(ctx, { idempotencyKey }) {
      const { id: targetId } = await ctx.calls.templates.read({ key: keyOf(ctx) });
      await ctx.calls.approvals.submit({ surfaceKind: 'email_template', targetId }, { idempotencyKey });
    },
  },
  rollback: rollbackAction,
  test: {
    done: 'The test is in the inbox of the sandbox. Nobody else gets it.',
    async run(ctx, { idempotencyKey, fields: { copy = '', language = '' } }) {
      await ctx.calls.email.sendTest(
        { template: keyOf(ctx), draft: copy !== 'published', ...(language === '' ? {} : { locale: language }) },
        { idempotencyKey },
      );
    },
  },
};

/** The choice whether to publish a version that would refuse variables that callers send today. */
const breakingChoice = {
  name: 'breaking',
  label: 'If it would refuse variables that your product sends',
  options: [
    ['', 'Do not publish'],
    ['allow', 'Publish anyway'],
  ],
} as const;

/** The form that goes back to an earlier version; null if the person may not do that. */
export const rollbackForm = (
  ctx: ConsoleContext,
  { name, draft, status }: Pick<TemplateDetail, 'name' | 'draft' | 'status'>,
  version: number,
): Html | null =>
  status !== 'archived' && ctx.mayCall('templates.rollback')
    ? actionForm(ctx, 'rollback', {
        label: 'Go back to it',
        question: html`Version ${version} of “${name}” is sent from then on, unless a policy makes this wait for an approval. It becomes the working copy, too${draft ? ', and the changes that were not published are lost' : ''}.`,
        verb: `Send version ${version}`,
        isDestructive: draft,
        fields: { version: String(version) },
        inputs: [breakingChoice],
      })
    : null;

/** The form that sends a test to the sandbox; null if the person may not send it, and for a layout, which is never sent. */
export function testForm(
  ctx: ConsoleContext,
  { name, kind, status, version, draft, locale, locales }: TemplateDetail,
): Html | null {
  if (kind === 'layout' || status === 'archived' || !ctx.mayCall('email.send_test')) return null;
  const copies =
    version > 0 && draft
      ? [
          {
            name: 'copy',
            label: 'Content',
            options: [
              ['', 'Working copy'],
              ['published', 'Published version'],
            ] as const,
          },
        ]
      : [];
  const languages = Object.keys(locales);
  const choice =
    languages.length === 0
      ? []
      : [
          {
            name: 'language',
            label: 'Language',
            options: [
              ['', locale === null ? 'No language named' : languageWords(locale)] as const,
              ...languages.map((tag) => [tag, languageWords(tag)] as const),
            ],
          },
        ];
  return actionForm(ctx, 'test', {
    label: 'Send a test',
    question: html`“${name}”, filled with an example, goes to the inbox of the sandbox. It reaches no recipient, and costs nothing.`,
    verb: 'Send the test',
    inputs: [...copies, ...choice],
  });
}

function publishing(ctx: ConsoleContext, { name, approval, draft, version, status }: TemplateDetail): Html | null {
  if (approval !== null || status === 'archived' || (version > 0 && !draft)) return null;
  if (ctx.mayCall('templates.publish'))
    return actionForm(ctx, 'publish', {
      label: 'Publish',
      question: html`The working copy of “${name}” becomes version ${version + 1}, which is sent from then on, unless a policy makes this wait for an approval.`,
      verb: 'Publish the template',
      inputs: [breakingChoice],
    });
  return ctx.mayCall('approvals.submit')
    ? actionForm(ctx, 'ask', {
        label: 'Ask for an approval',
        question: html`A reviewer decides on “${name}” as it is now.`,
        verb: 'Ask for the approval',
      })
    : null;
}

/** The forms for the working copy. While texts are missing, the template is not published. */
export function templateForms(ctx: ConsoleContext, template: TemplateDetail): Html | null {
  const write = ctx.mayCall('templates.update') ? missingWordsForm(ctx, 'the template', wholeText(template)) : null;
  return write ?? publishing(ctx, template);
}
