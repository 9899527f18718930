// Requests that cause the errors of this plugin's operations, for their generated tests.
import type { ErrorCases, FixtureKit } from '../../../core/index.ts';
import { placeholder } from '../../kit/placeholders.ts';
import { layoutIn, someTemplate } from './fixture-rows.ts';

/** Errors that no single request causes, with the tests that show them. */
export const testedElsewhere = {
  compiler_missing: 'unreachable here: shown in test/hosts/cli-dev.test.ts',
  compiler_busy: 'unreachable here: shown in test/plugins/templates-compiler.test.ts',
  changed_meanwhile: 'unreachable here: shown in test/plugins/templates-layouts-concurrent.test.ts',
  archived_layout: 'unreachable here: shown in test/plugins/templates-archive.test.ts',
  layout_not_published: 'unreachable here: shown in test/plugins/templates-layouts.test.ts',
  sent_by_sequence: 'unreachable here: shown in test/plugins/sequences-authoring.test.ts',
  held: 'unreachable here: shown in test/plugins/approvals.test.ts',
} as const;

/** The key of an archived template. */
export async function archivedTemplate(kit: FixtureKit): Promise<string> {
  const key = await someTemplate(kit);
  await kit.call('templates.archive', { key });
  return key;
}

/** The key of a layout that is a draft. */
export const someLayout = (kit: FixtureKit): Promise<string> => layoutIn(kit, kit.workspaceId);

/** The key of a draft that does not compile. */
export async function brokenTemplate(kit: FixtureKit): Promise<string> {
  const key = kit.unique('broken').toLowerCase();
  await kit.call('templates.create', { key, subject: 'Hello', mode: 'html', body: '<p>{{ name | nonsense }}</p>' });
  return key;
}

/** The key of a draft with a placeholder. */
export async function unwrittenTemplate(kit: FixtureKit): Promise<string> {
  const key = kit.unique('unwritten').toLowerCase();
  const subject = placeholder('The subject of the mail');
  await kit.call('templates.create', { key, subject, mode: 'html', body: '<p>Hello</p>' });
  return key;
}

/** The key of a draft in a layout that was never published. */
export async function inDraftLayout(kit: FixtureKit): Promise<string> {
  const key = kit.unique('framed').toLowerCase();
  const layout = await someLayout(kit);
  await kit.call('templates.create', { key, layout, subject: 'Hello', mode: 'html', body: '<p>Hello</p>' });
  return key;
}

export const subjectLines = { narrow: 'Hello {{name}} {{surname}}', wide: 'Hello {{name}}' } as const;

/** The key of a template with a published version and later edits. */
export async function editedTemplate(
  kit: FixtureKit,
  versions: readonly (keyof typeof subjectLines)[],
  edited?: keyof typeof subjectLines,
): Promise<string> {
  const key = kit.unique('edited').toLowerCase();
  await kit.call('templates.create', { key, mode: 'html', body: '<p>Hello</p>' });
  for (const version of versions) {
    await kit.call('templates.update', { key, subject: subjectLines[version] });
    await kit.call('templates.publish', { key, allowBreaking: true });
  }
  if (edited !== undefined) await kit.call('templates.update', { key, subject: subjectLines[edited] });
  return key;
}

/** An invalid contract. */
const brokenContract = { variables: { type: 'object', properties: { name: { type: 'text' } } } };

/** The errors of operations whose body has the content of a template. */
export const contentErrors: ErrorCases = {
  theme_not_found: async () => ({ body: { themeId: 'thm_01ARZ3NDEKTSV4RRFFQ69G5FAV' } }),
  layout_not_found: async () => ({ body: { layout: 'nowhere', subject: 'Hello' } }),
  template_invalid: async () => ({ body: brokenContract }),
};
