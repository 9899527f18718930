// Makes a version current. Only this file assigns version numbers and contract versions and checks for breaking
// changes. Called by publishing and by rolling back, inside their transaction.
import type { ContentJson, OperationContext, PendingDecision } from '../../../core/index.ts';
import { refusePlaceholders } from '../../kit/placeholders.ts';
import { changedMeanwhile } from '../authoring/authoring.ts';
import { type Contract, type ContractComparison, compareContracts } from '../contract/schema.ts';
import { errors } from '../errors.ts';
import { requireUnsubscribeLink } from '../rendering/unsubscribe-link.ts';
import { findVersion, insertVersion, templatesInLayout, updateTemplate } from '../store.ts';
import type { TemplateRow, TemplateVersionRow } from '../tables.ts';
import { publicContent, publishedContent, settingsOf } from './content-kind.ts';
import { frozenContent, localeNames } from './frozen-locales.ts';
import { notifyTemplateChanged } from './template-changes.ts';

/** A refused publish lists the callers that sent within this time: 30 days. */
const callersSinceMs = 30 * 86_400_000;

/** A version without its numbers and its time. */
export type FrozenVersion = Omit<TemplateVersionRow, 'template_id' | 'version' | 'contract_version' | 'created_at'>;

/** Compares a contract with the current contract. @throws contract_breaking, which lists recent callers */
async function compareWithCurrent(
  ctx: OperationContext,
  row: TemplateRow,
  contract: Contract,
  { allowBreaking, isProposal = false }: { readonly allowBreaking: boolean; readonly isProposal?: boolean },
): Promise<ContractComparison | undefined> {
  const currentVersion = row.version === 0 ? undefined : await findVersion(ctx.trx, row.id, row.version);
  if (currentVersion === undefined) return undefined;
  const change = compareContracts(JSON.parse(currentVersion.contract) as Contract, contract);
  // A layout cannot break callers: it is never sent, and callers see its variables only after a template that uses it is published.
  if (!change.breaking || allowBreaking || row.kind === 'layout') return change;
  const callers = await ctx.services.templateCallers?.callersSince(ctx.trx, row.key, ctx.now - callersSinceMs);
  const reasons = change.reasons.map(({ path, reason }) => `${path}: ${reason}`);
  throw errors.contract_breaking({ reasons, callers, isProposal });
}

/** @throws placeholders_left */
function checkWritten({
  subject,
  preview_text: previewText,
  html: body,
  text_part: text,
  locales,
}: FrozenVersion): void {
  const otherLocales = Object.fromEntries(
    localeNames(locales).map((locale) => [locale, locales === null ? undefined : frozenContent(locales, locale)]),
  );
  refusePlaceholders('The template', { subject, previewText, body, text, locales: otherLocales });
}

/**
 * Checks a proposal before people decide on it, because an approved proposal with these faults would be refused.
 * @throws contract_breaking, template_invalid, placeholders_left
 */
export async function checkProposed(ctx: OperationContext, row: TemplateRow, frozen: FrozenVersion): Promise<void> {
  checkWritten(frozen);
  requireUnsubscribeLink(row, frozen);
  const contract = JSON.parse(frozen.contract) as Contract;
  await compareWithCurrent(ctx, row, contract, { allowBreaking: false, isProposal: true });
}

/** How to make a version current. */
interface CurrentVersionOptions {
  readonly allowBreaking: boolean;
  /** Further changes of the row. (Default: none) */
  readonly working?: Partial<TemplateRow>;
  /** Content besides the version itself on which members decide. (Default: nothing) */
  readonly decidedOn?: ContentJson;
}

/**
 * Withdraws the requests that wait for a decision on the template, on its senders and, for a layout, on the templates
 * in it.
 */
async function withdrawRequests(ctx: OperationContext, { id, key, kind }: TemplateRow): Promise<void> {
  const users = kind === 'layout' ? await templatesInLayout(ctx.trx, key) : [];
  await ctx.contentChanged('email_template', [id, ...users]);
  await notifyTemplateChanged(ctx, key);
}

/**
 * Makes `frozen` the next version and the current version. If a policy holds the call, the template stays unchanged and
 * `approval` names the request.
 * @throws placeholders_left; contract_breaking; template_invalid for marketing mail without an unsubscribe link; state_conflict if the
 * template was changed or published since `row` was read
 */
export async function makeCurrent(
  ctx: OperationContext,
  row: TemplateRow,
  frozen: FrozenVersion,
  { allowBreaking, working = {}, decidedOn = {} }: CurrentVersionOptions,
): Promise<{ readonly row: TemplateRow; readonly approval: PendingDecision | undefined }> {
  checkWritten(frozen);
  requireUnsubscribeLink(row, frozen);
  const contract = JSON.parse(frozen.contract) as Contract;
  const change = await compareWithCurrent(ctx, row, contract, { allowBreaking });
  const content = { ...publicContent(frozen), ...settingsOf(row), ...decidedOn };
  const contentBefore = async () => {
    const published = await publishedContent(ctx.trx, row);
    return published === null ? null : { ...published, ...decidedOn };
  };
  const approval = await ctx.requireDecision(row.id, {
    content: async () => ({ name: row.key, content, before: await contentBefore() }),
  });
  if (approval !== undefined) return { row, approval };
  const changed = change?.changed ?? true;
  const version = row.version + 1;
  const contractVersion = changed ? row.contract_version + 1 : row.contract_version;
  const changes = {
    ...working,
    version,
    contract_version: contractVersion,
    status: 'published' as const,
    published_revision: working.revision ?? row.revision,
    published_at: ctx.now,
    updated_at: ctx.now,
  };
  if (!(await updateTemplate(ctx.trx, row, changes))) throw changedMeanwhile(row.key);
  await insertVersion(ctx.trx, {
    ...frozen,
    template_id: row.id,
    version,
    contract_version: contractVersion,
    created_at: ctx.now,
  });
  await withdrawRequests(ctx, row);
  if (changed && row.kind !== 'layout') {
    ctx.emit('schema_contract.changed', {
      key: row.key,
      from: row.contract_version,
      to: contractVersion,
      breaking: change?.breaking ?? false,
      added: change?.added ?? Object.keys(contract.properties),
      removed: change?.removed ?? [],
    });
  }
  ctx.note({ key: row.key, version });
  return { row: { ...row, ...changes }, approval };
}
