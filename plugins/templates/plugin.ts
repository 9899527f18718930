// The templates plugin.
import { type CallsOf, checkOptions, definePlugin, definePort, errorDefinitions } from '../../core/index.ts';
import { createCommands } from './commands/index.ts';
import { createTemplateCompiler, type TemplateCompiler } from './compiler/compiler.ts';
import { createTemplateDrafts, type TemplateDraftsService } from './composing/compose-draft.ts';
import { createWriter, type WriterService } from './composing/writer.ts';
import { consolePages } from './console/index.ts';
import { overviewPart } from './console/overview.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { migration0001 } from './migrations/0001-templates.ts';
import { operations } from './operations/index.ts';
import type { TemplatesPluginOptions } from './options.ts';
import type { ComposerAdapter } from './port/index.ts';
import { prompts } from './prompts.ts';
import type { MailMarking } from './rendering/mail-marking.ts';
import { removeProposals } from './schedules.ts';
import { scopes } from './scopes.ts';
import { createTemplatesService, type TemplateCallers, type TemplatesService } from './service.ts';
import type { StarterLanguages } from './starters/languages.ts';
import { createStarterSeed, starterContracts } from './starters/seed.ts';
import { themeReferences, topicReferences } from './store.ts';
import { tables } from './tables.ts';
import { templateContentKind } from './versions/content-kind.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    templates: CallsOf<typeof operations>;
  }
  interface Services {
    templates: TemplatesService;
    templateCompiler: TemplateCompiler;
    templateCallers?: TemplateCallers;
    mailMarking?: MailMarking;
    writer: WriterService;
    templateDrafts: TemplateDraftsService;
  }
  interface Ports {
    composer: { plugin: 'templates'; adapter: ComposerAdapter };
  }
}

/** Email templates: drafts, published versions, contracts, layouts, languages. */
export const templatesPlugin = (options: TemplatesPluginOptions = {}) => {
  checkOptions<TemplatesPluginOptions>('templatesPlugin', options, { starters: 'optional', compileWorker: 'optional' });
  const { starters = true, compileWorker: file } = options;
  if (typeof starters === 'object')
    checkOptions<StarterLanguages>('templatesPlugin', starters, { languages: 'optional', texts: 'optional' });
  return definePlugin({
    id: 'templates',
    searchWords: {
      template: [
        'mail',
        'email',
        'newsletter',
        'message',
        'wording',
        'text',
        'subject',
        'layout',
        'design',
        'footer',
        'header',
        'receipt',
        'invoice',
        'confirmation',
        'welcome',
        'reminder',
        'birthday',
      ],
      contract: ['variables', 'placeholders', 'data', 'needed'],
      template_versions: ['earlier', 'old', 'previous', 'before', 'past', 'history', 'looked'],
      propose_template: ['suggest', 'better', 'idea', 'improve', 'trainee'],
      rollback_template: ['previous', 'old', 'wording', 'restore'],
      publish_template: ['finished', 'everybody', 'change'],
      update_template: ['typo', 'mistake', 'sentence', 'phrase', 'wrong'],
    },
    scopes,
    operations,
    console: consolePages,
    resources: [
      {
        uri: 'postrider://templates/{key}',
        name: 'template',
        title: 'Template',
        description: 'A template with its body, its languages and its contract.',
        operation: 'templates.read',
        list: 'templates.list',
      },
    ],
    prompts,
    toolWorkflows: [
      {
        task: 'A template',
        tools: ['list_templates', 'create_template', 'render_template', 'publish_template'],
        note: 'If the workspace has a brand, pass its theme as themeId.',
      },
      {
        task: 'A change of a template by a key that may not publish',
        tools: ['read_template', 'propose_template_change'],
        unless: 'publish_template',
        note: 'Its requestId is the approval that publishes it.',
      },
    ],
    events,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    ports: {
      composer: definePort<ComposerAdapter>({
        description: 'Writes texts from a brief: templates, posts, pages and more.',
        methods: ['compose'],
        default: () => ({ id: 'embedded', withoutModel: true, compose: async (task) => task.embedded() }),
      }),
    },
    services: {
      templates: createTemplatesService,
      templateCompiler: () => createTemplateCompiler({ file }),
      writer: createWriter,
      templateDrafts: createTemplateDrafts,
    },
    extensionPoints: ['templates.references', 'templates.changes'],
    contributes: {
      'console.overview': () => overviewPart,
      'brand.theme_references': () => ({ referencesTo: themeReferences }),
      'topics.references': () => ({ referencesTo: topicReferences }),
    },
    stop: ({ services }) => services.templateCompiler.stop(),
    commands: createCommands(starters === false ? () => [] : starterContracts),
    contentKinds: [templateContentKind],
    schedules: [removeProposals],
    retention: {
      template_proposals: {
        rows: 'Proposals that no longer wait for a decision',
        since: 'the proposal',
        default: '400 days',
      },
    },
    ...(starters === false ? {} : { workspaceCreated: createStarterSeed(starters === true ? {} : starters) }),
  });
};
