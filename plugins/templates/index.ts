// Templates: written in MJML or HTML with Liquid, and published as frozen versions with a contract of their variables.
import './events.ts';

export type { TemplateChanges } from './changes.ts';
export type { ComposedDraft, TemplateDraftsService } from './composing/compose-draft.ts';
export type { WriterService, Writing, WritingPlace } from './composing/writer.ts';
export { type LoadTemplatesOptions, loadTemplates } from './load-templates.ts';
export type { MailMarking } from './mail-marking.ts';
export type { TemplatesPluginOptions } from './options.ts';
export { templatesPlugin } from './plugin.ts';
export type {
  BuiltInMail,
  DraftSource,
  Preview,
  Rendering,
  ResolvedTemplate,
  ResolveOptions,
  TemplateCallers,
  TemplatesService,
} from './service.ts';
export type { TextSource, TextTemplate } from './text-template.ts';
