import { coreErrors, defineErrors, type ErrorDetail, namesOf, type Reference } from '../../core/index.ts';
import { packageMissing } from '../../core/unstable.ts';

/** Joins sentences as parts of one sentence. */
const joined = (sentences: readonly string[]): string => sentences.map((text) => text.replace(/\.$/, '')).join('; ');

interface RecentCallers {
  readonly keys: readonly string[];
  readonly withoutKey: number;
}

/** Sentences about who sent the template in the last 30 days. Sends without a key come from the program and from its sequences. */
function recentCallers({ keys, withoutKey }: RecentCallers): readonly string[] {
  if (keys.length === 0 && withoutKey === 0) return ['Nobody sent it in the last 30 days.'];
  return [
    ...(keys.length === 0 ? [] : [`Keys that sent it in the last 30 days: ${keys.join(', ')}.`]),
    ...(withoutKey === 0
      ? []
      : [
          `Your own program, or a sequence, sent it ${withoutKey === 1 ? 'once' : `${withoutKey} times`} in the last 30 days.`,
        ]),
  ];
}

export const errors = defineErrors({
  template_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no template with this key.',
    message: (details: { key: string; hint?: string }) =>
      `There is no template ${details.key}.${details.hint ?? ''} GET /v1/templates lists the existing ones.`,
  },
  theme_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no theme with this id.',
    message: (details: { id: string }) =>
      `There is no theme ${details.id}. GET /v1/brand lists the brands with their themes.`,
  },
  template_invalid: {
    status: 422,
    type: 'validation_error',
    description: 'The source does not compile, or uses a variable that its contract lacks; details name the lines.',
    message: (details: { summary: string }) => details.summary,
  },
  compiler_missing: {
    status: 501,
    type: 'api_error',
    description:
      'The server lacks a package that compiles templates, or the file that the compiler threads run. The operator must install the packages (npm install mjml juice html-to-text) and mark postrider as external in the bundler.',
    message: (details: { kind: 'package' | 'file'; name: string }) =>
      details.kind === 'package'
        ? packageMissing(details.name, 'which compiles templates', ['mjml', 'juice', 'html-to-text'])
        : `The file ${details.name}, which compiles templates, is missing beside the server's program. Mark postrider as external in your bundler, or set the path of the file with templatesPlugin({ compileWorker }).`,
  },
  compiler_busy: {
    status: 503,
    type: 'api_error',
    description: 'Too many templates are waiting to be compiled, or the server is stopping. Retry shortly.',
    message: () => 'Too many templates are waiting to be compiled, or the server is stopping. Try again shortly.',
  },
  contract_breaking: {
    status: 409,
    type: 'conflict_error',
    description:
      'The new contract would refuse variables that callers send today. Publish with allowBreaking: true, or keep accepting those variables.',
    /**
     * `callers`: who sent the template in the last 30 days; undefined if no plugin that sends templates is composed.
     */
    message: (details: { reasons: readonly string[]; callers: RecentCallers | undefined; isProposal?: boolean }) =>
      [
        `Publishing would break callers: ${joined(details.reasons)}.`,
        ...(details.callers === undefined ? [] : recentCallers(details.callers)),
        details.isProposal === true
          ? 'A proposal cannot do that: propose a contract that accepts the variables that callers send. A caller who may publish can do it with allowBreaking: true.'
          : 'Pass allowBreaking: true to publish anyway.',
      ].join(' '),
  },
  template_not_published: {
    status: 409,
    type: 'conflict_error',
    description:
      'A live key sends only published versions, and this template has none yet. Publish the template first.',
    message: (details: { key: string }) =>
      `The template ${details.key} is not published. Publish it first: POST /v1/templates/${details.key}/publish.`,
  },
  template_archived: {
    status: 409,
    type: 'conflict_error',
    description:
      'The template is archived for good: it can be neither changed nor sent. Use another template, or create one under another key.',
    message: (details: { key: string }) =>
      `The template ${details.key} is archived for good: it is neither changed nor sent. Use another template, or create one under another key: POST /v1/templates.`,
  },
  template_is_layout: {
    status: 409,
    type: 'conflict_error',
    description:
      'The template is a layout, which wraps other templates and is never sent itself. Send a template that uses it.',
    message: (details: { key: string }) =>
      `${details.key} is a layout and is never sent. Send a template that uses it.`,
  },
  layout_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no layout with this key, or it is archived.',
    message: (details: { key: string }) =>
      `There is no layout ${details.key}. GET /v1/templates?kind=layout lists the existing ones.`,
  },
  layout_not_published: {
    status: 409,
    type: 'conflict_error',
    description: 'The layout has no published version yet. Publish the layout first.',
    message: (details: { key: string }) =>
      `The layout ${details.key} is not published. Publish it first: POST /v1/templates/${details.key}/publish.`,
  },
  layout_in_use: {
    status: 409,
    type: 'conflict_error',
    description: 'Templates use this layout. Change or remove their layout, or archive them first.',
    message: (details: { key: string; users: readonly string[]; more: boolean }) =>
      `The layout ${details.key} is used by ${details.users.join(', ')}${details.more ? ' and others' : ''}. Change or remove their layout, or archive them first.`,
  },
  template_in_use: {
    status: 409,
    type: 'conflict_error',
    description:
      'Published sequences send this template. First archive these sequences, or publish them with another template.',
    message: (details: { key: string; users: readonly Reference[] }) =>
      `${details.key} is sent by ${namesOf(details.users)}. First archive ${details.users.length === 1 ? 'it' : 'them'}, or publish ${details.users.length === 1 ? 'it' : 'them'} with another template.`,
  },
  template_version_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The template has no version with this number.',
    message: (details: { key: string; version: number }) =>
      `${details.key} has no version ${details.version}. GET /v1/templates/${details.key}/versions lists the existing ones.`,
  },
});

/**
 * The error for variables that do not fit their contract, with at most 50 details. `key` names the resource that
 * declares them.
 */
export const refuseVariables = (key: string, details: readonly ErrorDetail[]) => {
  const [first] = details;
  const summary = `${first?.path}: ${first?.message}`;
  return coreErrors.variables_invalid(
    { resource: key, summary, faults: details.length },
    { details: details.slice(0, 50) },
  );
};
