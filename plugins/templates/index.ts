// Templates: written in MJML or HTML with Liquid, and published as frozen versions with a contract of their variables.
import './events.ts';

export type { ComposedDraft, TemplateDraftsService } from './composing/compose-draft.ts';
export type { WriterService, Writing, WritingContext } from './composing/writer.ts';
export { type LoadTemplatesOptions, loadTemplates } from './folder/load-templates.ts';
export type { TemplatesPluginOptions } from './options.ts';
export { templatesPlugin } from './plugin.ts';
export type { MailMarking } from './rendering/mail-marking.ts';
export type { TextSource, TextTemplate } from './rendering/text-template.ts';
export type {
  BuiltInMail,
  DraftSource,
  FrozenTemplate,
  MailPreview,
  OwnLines,
  Rendering,
  ResolvedTemplate,
  ResolveOptions,
  TemplateCallers,
  TemplatesService,
  VisibleVariables,
} from './service.ts';
export { type StarterLanguages, type StarterTextsByLanguage, starterLocales } from './starters/languages.ts';
export { type LocalizedTemplate, localizeTemplate, type TemplateLayout } from './starters/localize-template.ts';
export { starterTexts } from './starters/texts/index.ts';
export type { StarterTexts } from './starters/texts.ts';
export type { TemplateChanges } from './versions/template-changes.ts';
