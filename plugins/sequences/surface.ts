// Sequences as what an approval policy can hold: what a publish would let run.
import {
  type Effects,
  isPostriderError,
  type ServiceSurface,
  type Surface,
  type SurfaceJson,
  type WorkspaceHandle,
} from '../../core/index.ts';
import type { ApprovalsService } from '../approvals/index.ts';
import type { SmsService, SmsTemplateChanges } from '../sms/index.ts';
import type { TemplateChanges } from '../templates/index.ts';
import type { CheckedSequence } from './code/code-sequence.ts';
import { syncNaming } from './code/sync.ts';
import { documentOf, type SequenceContent } from './decision-view.ts';
import { namedReferences } from './definition/references.ts';
import type { Definition } from './definition/schema.ts';
import { withListNames } from './graph/named-lists.ts';
import { sequenceHeads, sequenceRows, versionRows } from './tables.ts';

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

/** The texts of SMS templates, which have no versions; null where one is not installed. */
async function smsTextsOf({ services }: Services, handle: WorkspaceHandle, keys: readonly string[]) {
  const sms: SmsService | undefined = services.sms;
  const texts = await sms?.texts(handle);
  return Object.fromEntries(
    keys.map((key) => {
      const { body, variables } = texts?.get(key) ?? {};
      return [key, body === undefined ? null : ({ body, variables } as SurfaceJson)];
    }),
  );
}

async function contentOf(surface: Services, handle: WorkspaceHandle, definition: Definition): Promise<SequenceContent> {
  const { trigger, nodes, edges, settings } = definition;
  const templates: Record<string, number | null> = {};
  const { emailTemplates, smsTemplates } = namedReferences(definition);
  for (const key of emailTemplates) templates[key] = await versionOf(surface, handle, key);
  const content = { trigger, nodes, edges, settings, templates };
  if (smsTemplates.length === 0) return content;
  return { ...content, smsTemplates: await smsTextsOf(surface, handle, smsTemplates) };
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
  idOf: async ({ trx }, key) => (await sequenceHeads.findBy(trx, { key }))?.id,
  view: (viewer, { targetId }) =>
    viewer.read(async (handle) => {
      const row = await sequenceRows.find(handle, targetId);
      if (row === undefined) return { before: null, after: null };
      const published = row.version_id === null ? undefined : await versionRows.find(handle, row.version_id);
      const shown = async (definition: Definition) => ({
        subject: null,
        html: documentOf(row, await withListNames(viewer, handle, await contentOf(viewer, handle, definition))),
      });
      return {
        before: published === undefined ? null : await shown(published.definition),
        after: await shown(row.definition),
      };
    }),
};

type Names = (named: ReturnType<typeof namedReferences>) => boolean;

/** Tells approvals that what the waiting sequences with these templates would send has changed; brings those of the code up to date. */
async function templatesChanged(
  surface: ServiceSurface,
  effects: Effects,
  code: readonly CheckedSequence[],
  names: Names,
): Promise<void> {
  const { services } = surface;
  const approvals: ApprovalsService | undefined = services.approvals;
  const waiting = [...((await approvals?.pendingOf(effects.trx, surfaceKind))?.keys() ?? [])];
  const rows = await sequenceRows.findIn(effects.trx, 'id', waiting);
  const naming = rows.filter(({ definition }) => names(namedReferences(definition)));
  await effects.contentChanged(
    surfaceKind,
    naming.map(({ id }) => id),
  );
  await syncNaming(surface, effects, code, names);
}

/**
 * The entry of `templates.changes`: a new version of a template changes what is asked for of the sequences that name it, and what fits of
 * those of the code.
 */
export const createTemplateChanges =
  (code: readonly CheckedSequence[]) =>
  (surface: ServiceSurface): TemplateChanges => ({
    templateChanged: (effects, key) =>
      templatesChanged(surface, effects, code, (named) => named.emailTemplates.includes(key)),
  });

/** The entry of `sms.template_changes`: the same for another wording of an SMS. */
export const createSmsTemplateChanges =
  (code: readonly CheckedSequence[]) =>
  (surface: ServiceSurface): SmsTemplateChanges => ({
    smsTemplatesChanged: (effects, keys) =>
      templatesChanged(surface, effects, code, (named) => named.smsTemplates.some((key) => keys.includes(key))),
  });
