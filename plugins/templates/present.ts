// The API's representation of templates and contracts.
import { presenter, type ReadContext, type WorkspaceHandle, type z } from '../../core/index.ts';
import type { ApprovalsService } from '../approvals/index.ts';
import { draftContract } from './authoring/contents.ts';
import { authoredSource, findLayout } from './authoring/layouts.ts';
import { parseLocales } from './authoring/locales.ts';
import type { Contract } from './contract/schema.ts';
import { type templateContract, type templateDetail, templateResource } from './schema.ts';
import { findVersion, type ListedColumn, listedRows, listTemplatesUsingLayout } from './store.ts';
import { type TemplateRow, type TemplateVersionRow, templates } from './tables.ts';

/** A template in a list. */
export const presentListed = presenter<typeof templates, typeof templateResource, ListedColumn>(
  templates,
  templateResource,
  {
    kind: ({ kind }) => kind ?? 'email',
    tracking: ({ track_opens: opens, track_clicks: clicks }) => ({ opens, clicks }),
  },
);

export const presentTemplate = (row: TemplateRow): z.input<typeof templateResource> =>
  presentListed(listedRows.decode(row));

/** The maximum number of templates that are listed as users of a layout. */
const namedUsers = 100;

/** A template with its working copy; a layout also with the templates that use it. */
export async function presentTemplateDetail(
  { trx, services }: ReadContext,
  row: TemplateRow,
): Promise<z.input<typeof templateDetail>> {
  const approvals: ApprovalsService | undefined = services.approvals;
  const pending = await approvals?.pendingOf(trx, 'email_template', [row.id]);
  const users = row.kind === 'layout' ? await listTemplatesUsingLayout(trx, row.key, namedUsers) : undefined;
  return {
    ...presentTemplate(row),
    body: row.body,
    text: row.text_part,
    locales: { ...parseLocales(row) },
    variables: { ...draftContract(row, await findLayout(trx, row.layout)) },
    authoredVariables: row.variables === null ? null : (JSON.parse(row.variables) as Record<string, unknown>),
    draft: row.revision !== row.published_revision,
    approval: pending?.get(row.id) ?? null,
    ...(users === undefined
      ? {}
      : { usedBy: users.map(({ key, layout_version: layoutVersion }) => ({ key, layoutVersion })) }),
  };
}

/** The content of a published version, as its author wrote it. */
export function presentVersionContent(frozen: TemplateVersionRow): Partial<z.input<typeof templateDetail>> {
  const { subject, previewText, body, text, variables, locales = null } = authoredSource(frozen);
  return {
    ...{ subject, previewText, body, text },
    mode: frozen.mode,
    layout: frozen.layout,
    themeId: frozen.theme_id,
    locale: frozen.locale,
    locales: { ...parseLocales({ locales }) },
    variables: JSON.parse(frozen.contract) as Record<string, unknown>,
    authoredVariables: variables === null ? null : (JSON.parse(variables) as Record<string, unknown>),
  };
}

/** The published contract, or the draft's contract if nothing is published. */
export async function presentContract(
  handle: WorkspaceHandle,
  row: TemplateRow,
): Promise<z.input<typeof templateContract>> {
  const version = row.version === 0 ? undefined : await findVersion(handle, row.id, row.version);
  const contract =
    version === undefined
      ? draftContract(row, await findLayout(handle, row.layout))
      : (JSON.parse(version.contract) as Contract);
  return {
    key: row.key,
    version: row.version,
    contractVersion: row.contract_version,
    variables: { ...contract },
    required: [...contract.required],
    examples: firstExample(contract),
  };
}

function firstExample(contract: Contract): Record<string, unknown> {
  const example = contract.examples?.find(
    (candidate) => typeof candidate === 'object' && candidate !== null && !Array.isArray(candidate),
  );
  return { ...(example as Record<string, unknown> | undefined) };
}
