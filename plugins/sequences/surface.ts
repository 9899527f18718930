// Sequences as what an approval policy can hold: what a publish would let run.
import type { Effects, ServiceSurface, Surface, SurfaceJson, WorkspaceHandle } from '../../core/index.ts';
import { isPostriderError } from '../../core/index.ts';
import type { ApprovalsService } from '../approvals/index.ts';
import type { TemplateUsers } from '../templates/index.ts';
import { namedReferences } from './definition/references.ts';
import type { Definition } from './definition/schema.ts';
import { sequenceRows, versionRows } from './tables.ts';

type Services = Pick<ServiceSurface, 'services'>;

/** The kind of the surface. */
export const surfaceKind = 'sequence';

/** The version of a template that sends use now; null where there is none. */
async function versionOf({ services }: Services, handle: WorkspaceHandle, key: string): Promise<number | null> {
  try {
    return (await services.templates.resolve(handle, key, { drafts: false })).version;
  } catch (error) {
    if (isPostriderError(error)) return null;
    throw error;
  }
}

async function contentOf(surface: Services, handle: WorkspaceHandle, definition: Definition): Promise<SurfaceJson> {
  const { trigger, nodes, edges, settings } = definition;
  const templates: Record<string, number | null> = {};
  for (const key of namedReferences(definition).emailTemplates) templates[key] = await versionOf(surface, handle, key);
  return { trigger, nodes, edges, settings, templates };
}

/** Sequences can be held. */
export const sequenceSurface: Surface = {
  kind: surfaceKind,
  targetKind: 'sequence',
  async read(context, targetId) {
    const { trx } = context;
    const row = await sequenceRows.find(trx, targetId);
    if (row === undefined || row.status === 'archived' || row.source === 'code') return undefined;
    const published = row.version_id === null ? undefined : await versionRows.find(trx, row.version_id);
    return {
      name: row.key,
      content: await contentOf(context, trx, row.definition),
      before: published === undefined ? null : await contentOf(context, trx, published.definition),
    };
  },
};

/** `ctx.services.templateUsers`: a new version of a template changes what is asked for of the sequences that name it. */
export const createTemplateUsers = ({ services }: Services): TemplateUsers => ({
  async templateChanged(effects: Effects, templateKey) {
    const approvals: ApprovalsService | undefined = services.approvals;
    const waiting = [...((await approvals?.pendingOf(effects.trx, surfaceKind))?.keys() ?? [])];
    const rows = await sequenceRows.findIn(effects.trx, 'id', waiting);
    const naming = rows.filter(({ definition }) => namedReferences(definition).emailTemplates.includes(templateKey));
    await effects.contentChanged(
      surfaceKind,
      naming.map(({ id }) => id),
    );
  },
});
