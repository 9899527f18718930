// Templates and contracts as they are shown.
import type { z } from '../../core/index.ts';
import { toIsoTime, toIsoTimeOrNull } from '../../core/index.ts';
import type { Contract } from './contract/schema.ts';
import { checkContract, inferContract } from './contract/schema.ts';
import { parseTemplate } from './language/liquid.ts';
import type { templateContract, templateDetail, templateResource } from './schema.ts';
import type { TemplateRow, TemplateVersionRow } from './tables.ts';

export const presentTemplate = (row: TemplateRow): z.input<typeof templateResource> => ({
  id: row.id,
  key: row.key,
  name: row.name,
  category: row.category,
  mode: row.mode,
  subject: row.subject,
  previewText: row.preview_text,
  themeId: row.theme_id,
  version: row.version,
  status: row.status,
  contractVersion: row.contract_version,
  createdAt: toIsoTime(row.created_at),
  updatedAt: toIsoTime(row.updated_at),
  publishedAt: toIsoTimeOrNull(row.published_at),
  delivery: row.delivery,
  tracking: { opens: row.track_opens === 1, clicks: row.track_clicks === 1 },
});

/** The contract of a working copy: the author's, or what its placeholders say; empty while it does not parse. */
export function draftContract(row: TemplateRow): Contract {
  if (row.variables !== null) {
    const checked = checkContract(JSON.parse(row.variables) as Record<string, unknown>);
    if (checked.ok) return checked.contract;
  }
  try {
    const sources = [row.subject, row.preview_text, row.body, row.text_part ?? ''];
    return inferContract(sources.flatMap((source) => parseTemplate(source, 'plain').placeholders));
  } catch {
    return inferContract([]);
  }
}

export const presentTemplateDetail = (row: TemplateRow): z.input<typeof templateDetail> => ({
  ...presentTemplate(row),
  body: row.body,
  text: row.text_part,
  variables: { ...draftContract(row) },
  draft: row.revision !== row.published_revision,
});

/** The published contract, or the draft's where nothing is published. */
export function presentContract(
  row: TemplateRow,
  version: TemplateVersionRow | undefined,
): z.input<typeof templateContract> {
  const contract = version === undefined ? draftContract(row) : (JSON.parse(version.contract) as Contract);
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
    (given) => typeof given === 'object' && given !== null && !Array.isArray(given),
  );
  return { ...(example as Record<string, unknown> | undefined) };
}
