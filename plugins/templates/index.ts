// Templates: authored in MJML or HTML with Liquid, published as frozen versions with a contract of their variables.
export { templatesPlugin } from './plugin.ts';
export type { DraftSource, Rendering, ResolvedTemplate, TemplateCallers, TemplatesService } from './service.ts';
