// Prompts for common tasks with templates. They name only tools of this plugin.
import type { PromptDeclaration } from '../../core/index.ts';
import { themePathsInShort } from './theme/theme.ts';

const templates = 'postrider://templates/{key}';

const language = [
  'The body is MJML, or HTML, with Liquid: {{ name }}, filters, if and for. Output is escaped unless it ends in | raw.',
  'Everything that is read is a variable of the contract. Give `variables`, a JSON Schema of them, with an example in',
  '`examples`: previews and test sends are filled from it.',
].join(' ');

const publishing = 'Publish only once I have agreed: publishing is what changes the mail that people get.';

export const prompts: readonly PromptDeclaration[] = [
  {
    name: 'write_template',
    title: 'Write an email template',
    description: 'Drafts a template from a brief, with its contract and its text part, and shows it.',
    arguments: [
      { name: 'brief', description: 'What the mail is for, who gets it, what it has to say.', required: true },
      { name: 'key', description: 'The key that code will send it by, such as order_shipped.', required: false },
      { name: 'layout', description: 'The key of the layout that it stands in.', required: false },
    ],
    tools: ['list_templates', 'read_template', 'create_template', 'update_template', 'render_template'],
    text: ({ brief, key, layout }) =>
      [
        `Write an email template: ${brief}`,
        'First look at what there is with list_templates, and read one or two with read_template, so that it looks and sounds like them.',
        layout === undefined
          ? 'If a layout (kind: layout) is used by the others, use it, too.'
          : `It stands in the layout ${layout}: write only what stands at the layout's {% content %}.`,
        language,
        `If you have the tool list_brands and it shows a brand with themes, write in its voice and give the id of a theme as themeId: the body then reads ${themePathsInShort}.`,
        'Subject under 60 characters, a preview text that goes on from it, one clear thing to do.',
        `Create it with create_template${key === undefined ? '' : ` under the key ${key}`} as a draft, look at it with render_template, and correct what it warns about with update_template.`,
        'Show me the subject, the text part and the variables. Do not publish it.',
      ].join('\n'),
  },
  {
    name: 'translate_template',
    title: 'Translate a template',
    description: 'Adds a language to a template, with the same variables, and shows it.',
    arguments: [
      { name: 'key', description: "The template's key.", required: true, resource: templates },
      { name: 'locale', description: 'The language as a BCP 47 tag: de, pt-BR.', required: true },
    ],
    tools: ['read_template', 'update_template', 'render_template'],
    text: ({ key, locale }) =>
      [
        `Translate the template ${key} into ${locale}.`,
        'Read it with read_template. Translate subject, previewText, body, and text where it has one; keep the markup, every {{ placeholder }}, filter and link exactly as they are, and add no variable.',
        `Write it with update_template as locales: { "${locale}": { subject, previewText, body, text } }; other languages stay as they are. If the template has no locale of its own yet, set it to the language that it is written in.`,
        `Look at it with render_template and locale ${locale}. Tell me where you were not sure, and where a text grew so long that the design may suffer.`,
        publishing,
      ].join('\n'),
  },
  {
    name: 'review_template',
    title: 'Review a template before it is published',
    description:
      'Compares the working copy with the published version, and reports the changes that callers and readers would notice.',
    arguments: [{ name: 'key', description: "The template's key.", required: true, resource: templates }],
    tools: ['read_template', 'read_template_schema', 'render_template'],
    text: ({ key }) =>
      [
        `Review the template ${key} before I publish it.`,
        'Read the working copy with read_template and the contract that callers use today with read_template_schema. Render both with render_template: draft true and draft false, with the same variables, and every language that it has.',
        'Tell me: what readers would see changed; which variables are new, gone or narrower, so that callers break; broken or missing links, images without alt text, a text part that says less than the HTML; whatever render_template warns of.',
        'Say in one sentence whether you would publish it. Change nothing.',
      ].join('\n'),
  },
];
