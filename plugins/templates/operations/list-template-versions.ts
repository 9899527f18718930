import { decodeCursor, defineOperation, listOf, pageQuery, toIsoTime, toPage, z } from '../../../core/index.ts';
import { templateNotFound } from '../authoring/template-not-found.ts';
import { keyParams, templateVersion } from '../schema.ts';
import { findTemplate, listVersions } from '../store.ts';
import { localeNames } from '../versions/frozen-locales.ts';
import { anotherVersion, foreignTemplate, somePublishedTemplate } from './fixture-rows.ts';

export const listTemplateVersions = defineOperation({
  id: 'templates.versions',
  summary: "List a template's versions",
  description: 'All published versions, newest first.',
  http: 'GET /v1/templates/{key}/versions',
  tool: 'list_template_versions',
  scopes: ['templates:read'],
  idempotency: 'read',
  input: { params: keyParams, query: z.object(pageQuery) },
  output: listOf(templateVersion),
  errors: ['template_not_found', 'cursor_invalid'],
  fixture: async (kit) => ({
    params: { key: await somePublishedTemplate(kit) },
    foreign: { key: await foreignTemplate(kit) },
  }),
  exampleRow: anotherVersion,

  async handler(ctx, { params: { key }, query: { limit, cursor } }) {
    const template = await findTemplate(ctx.trx, key);
    if (template === undefined) throw await templateNotFound(ctx.trx, key);
    const list = `versions of ${template.id}`;
    // Version numbers are in chronological order, so the cursor contains a version number.
    const after = decodeCursor(list, cursor)?.createdAt;
    const rows = await listVersions(ctx.trx, template.id, limit, after);
    return toPage(
      list,
      rows,
      limit,
      ({ version }) => ({ createdAt: version, id: template.id }),
      (row) => ({
        version: row.version,
        contractVersion: row.contract_version,
        createdAt: toIsoTime(row.created_at),
        subject: row.subject,
        current: row.version === template.version,
        layout: row.layout,
        layoutVersion: row.layout_version,
        locale: row.locale,
        locales: localeNames(row.locale_names),
      }),
    );
  },
});
