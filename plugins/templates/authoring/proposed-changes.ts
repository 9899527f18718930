// The changes that a proposal makes to a working copy.
import { coreErrors, type z } from '../../../core/index.ts';
import { faultSummary } from '../../../core/unstable.ts';
import { templateChanges } from '../schema.ts';
import type { TemplateRow } from '../tables.ts';
import { changeLocales, parseLocales } from './locales.ts';

const { subject, previewText, body, text, locales, variables } = templateChanges;

/** The fields that a proposal may change. */
export const proposedChanges = { subject, previewText, body, text, locales, variables };

export type ProposedChanges = z.output<z.ZodObject<typeof proposedChanges>>;

/**
 * Returns the template with the changes applied to its working copy.
 * @throws validation_failed for invalid languages
 */
export function withProposal(row: TemplateRow, changes: ProposedChanges): TemplateRow {
  const changed = changeLocales(parseLocales(row), changes.locales ?? {}, row.locale);
  const { details } = changed;
  if (details.length > 0) throw coreErrors.validation_failed({ summary: faultSummary(details) }, { details });
  const { variables: contract } = changes;
  return {
    ...row,
    ...(changes.subject === undefined ? {} : { subject: changes.subject }),
    ...(changes.previewText === undefined ? {} : { preview_text: changes.previewText ?? '' }),
    ...(changes.body === undefined ? {} : { body: changes.body }),
    ...(changes.text === undefined ? {} : { text_part: changes.text }),
    ...(contract === undefined ? {} : { variables: contract === null ? null : JSON.stringify(contract) }),
    ...(changes.locales === undefined ? {} : { locales: changed.locales }),
  };
}
