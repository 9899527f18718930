import { definePreparedOperation, z } from '../../../core/index.ts';
import { changedMeanwhile, compileWorkingCopy } from '../authoring.ts';
import type { Contract } from '../contract/schema.ts';
import { compareContracts } from '../contract/schema.ts';
import { errors } from '../errors.ts';
import { presentTemplateDetail } from '../present.ts';
import { keyParams, templateDetail } from '../schema.ts';
import { findTemplate, findVersion, insertVersion, updateTemplate } from '../store.ts';
import { foreignTemplate, someTemplate } from './fixture-rows.ts';

/** Whoever sent in this time is named when a publish would break callers: 30 days. */
const callersSinceMs = 30 * 86_400_000;

export const publishTemplate = definePreparedOperation({
  id: 'templates.publish',
  summary: 'Publish a template',
  description:
    'Compiles the working copy and freezes it as the next version, which is what live keys send from then on. A contract that would refuse what callers send today needs allowBreaking.',
  http: 'POST /v1/templates/{key}/publish',
  tool: 'publish_template',
  scopes: ['templates:write'],
  idempotency: 'replay',
  input: {
    params: keyParams,
    body: z.object({ allowBreaking: z.boolean().default(false).describe('Publish although callers would break.') }),
  },
  output: templateDetail,
  errors: ['template_not_found', 'template_archived', 'template_invalid', 'contract_breaking', 'state_conflict'],
  audit: { action: 'template.publish', target: ({ id }) => ({ kind: 'template', id }) },
  fixture: async (kit) => ({
    params: { key: await someTemplate(kit) },
    body: {},
    foreign: { key: await foreignTemplate(kit) },
  }),

  async prepare(ctx, { params }) {
    const row = await ctx.read((handle) => findTemplate(handle, params.key));
    if (row === undefined) throw errors.template_not_found({ key: params.key });
    if (row.status === 'archived') throw errors.template_archived({ key: params.key });
    return { revision: row.revision, compiled: await compileWorkingCopy(row) };
  },

  async handler(ctx, { params, body }, { revision, compiled }) {
    const row = await findTemplate(ctx.trx, params.key);
    if (row === undefined) throw errors.template_not_found({ key: params.key });
    if (row.revision !== revision) throw changedMeanwhile(params.key);
    const before = row.version === 0 ? undefined : await findVersion(ctx.trx, row.id, row.version);
    const change =
      before === undefined ? undefined : compareContracts(JSON.parse(before.contract) as Contract, compiled.contract);
    if (change?.breaking && !body.allowBreaking) {
      const since = ctx.now - callersSinceMs;
      const keys = (await ctx.services.templateCallers?.keysSince(ctx.trx, row.key, since)) ?? [];
      const reasons = change.reasons.map(({ path, reason }) => `${path}: ${reason}`);
      throw errors.contract_breaking({ reasons, keys });
    }
    const changed = change?.changed ?? true;
    const version = row.version + 1;
    const contractVersion = changed ? row.contract_version + 1 : row.contract_version;
    await insertVersion(ctx.trx, {
      workspace_id: ctx.workspace.id,
      template_id: row.id,
      version,
      contract_version: contractVersion,
      mode: row.mode,
      source: JSON.stringify({
        subject: row.subject,
        previewText: row.preview_text,
        body: row.body,
        text: row.text_part,
        variables: row.variables,
      }),
      subject: compiled.subject,
      preview_text: compiled.previewText,
      html: compiled.html,
      text_part: compiled.text,
      contract: JSON.stringify(compiled.contract),
      created_at: ctx.now,
    });
    const changes = {
      version,
      contract_version: contractVersion,
      status: 'published' as const,
      published_revision: revision,
      published_at: ctx.now,
      updated_at: ctx.now,
    };
    if (!(await updateTemplate(ctx.trx, row.id, revision, changes))) throw changedMeanwhile(params.key);
    if (changed) {
      ctx.emit('schema_contract.changed', {
        key: row.key,
        from: row.contract_version,
        to: contractVersion,
        breaking: change?.breaking ?? false,
        added: change?.added ?? Object.keys(compiled.contract.properties),
        removed: change?.removed ?? [],
      });
    }
    ctx.note({ key: row.key, version });
    return presentTemplateDetail({ ...row, ...changes });
  },
});
