// Checks that the resources named in a page's forms exist, and that the publisher has the scopes that the forms need.
import {
  coreErrors,
  type ErrorDetail,
  type OperationContext,
  type ReadContext,
  type TransactionContext,
} from '../../../core/index.ts';
import { faultSummary } from '../../../core/unstable.ts';
import type { ListsService } from '../../lists/index.ts';
import type { SequenceEntrance } from '../../sequences/index.ts';
import { formOfPage } from '../build/standard-form.ts';
import { asksToConfirm, type PageForm, type WantedForm } from '../sections/form.ts';
import type { Section } from '../sections/schema.ts';
import { leadMagnetsOf } from './lead-magnets.ts';

async function faultsOf(ctx: ReadContext, form: PageForm, at: string): Promise<ErrorDetail[]> {
  const { services, trx } = ctx;
  const { listId, sequenceKey, leadMagnetId } = form;
  const lists: ListsService | undefined = services.lists;
  const sequences: SequenceEntrance | undefined = services.sequenceEntrance;
  const leadMagnets = leadMagnetsOf(ctx);
  const faults: ErrorDetail[] = [];
  const missingPlugin = (path: string, plugin: string) =>
    faults.push({
      path: `${at}.${path}`,
      code: 'not_composed',
      message: `This needs the plugin ${plugin}, and the service is composed without it.`,
    });
  const unknownResource = (path: string, what: string) =>
    faults.push({ path: `${at}.${path}`, code: 'unknown', message: `There is no ${what}.` });

  if (asksToConfirm(form) && lists === undefined) missingPlugin('fields', 'lists, which asks addresses to confirm');
  // Locks the list, so that it is not deleted while a published page uses it.
  if (listId !== undefined && lists !== undefined && (await lists.find(trx, listId, 'share')) === undefined)
    unknownResource('listId', `list ${listId}`);
  if (sequenceKey !== undefined) {
    if (sequences === undefined) missingPlugin('sequenceKey', 'sequences');
    else if (!(await sequences.exists(trx, sequenceKey))) unknownResource('sequenceKey', `sequence ${sequenceKey}`);
  }
  if (leadMagnetId !== undefined) {
    if (leadMagnets === undefined) missingPlugin('leadMagnetId', 'lead-magnets');
    else if ((await leadMagnets.find(trx, leadMagnetId)) === undefined)
      unknownResource('leadMagnetId', `lead magnet ${leadMagnetId}`);
  }
  return faults;
}

/** The faults of forms with resources that do not exist. `at` is the path of the sections in the request. */
export async function formFaults(
  context: ReadContext,
  sections: readonly Section[],
  at: string,
): Promise<ErrorDetail[]> {
  const faults: ErrorDetail[] = [];
  for (const [index, { form }] of sections.entries())
    if (form !== undefined) faults.push(...(await faultsOf(context, form, `${at}.${index}.form`)));
  return faults;
}

/** Checks a form that a page is to be built with. @throws validation_failed */
export async function checkWantedForm(ctx: TransactionContext, form: WantedForm): Promise<void> {
  const whole = formOfPage('lead_form', { brief: '', form, ctaLabel: null, buttonUrl: undefined });
  const details = await faultsOf(ctx, whole, 'form');
  if (details.length > 0) throw coreErrors.validation_failed({ summary: faultSummary(details) }, { details });
}

/** The scopes that forms need, because publishing grants them to everyone who sends a form. */
const neededScopes = (sections: readonly Section[]) =>
  sections.flatMap(({ form }, index) => [
    ...(form?.listId === undefined ? [] : [{ form, path: `sections.${index}.form.listId`, scope: 'lists:write' }]),
    ...(form?.sequenceKey === undefined
      ? []
      : [{ form, path: `sections.${index}.form.sequenceKey`, scope: 'sequences:trigger' }]),
  ]);

/** Checks the forms of a page before it is published. @throws validation_failed, insufficient_scope, state_conflict */
export async function checkForms(ctx: OperationContext, sections: readonly Section[]): Promise<void> {
  const missingScopes = neededScopes(sections).filter(({ scope }) => !ctx.holds(scope));
  const [firstMissing] = missingScopes;
  if (firstMissing !== undefined)
    throw coreErrors.insufficient_scope(
      { scopes: [`${firstMissing.scope} (for the form ${firstMissing.form.formId})`] },
      {
        details: missingScopes.map(({ form, path, scope }) => ({
          path,
          code: 'insufficient_scope',
          message: `The form ${form.formId} needs the scope ${scope}.`,
        })),
      },
    );
  ctx.refuse(await formFaults(ctx, sections, 'sections'));
  await checkGifts(ctx, sections);
}

/** Refuses a lead magnet without a file, because it could not be given away. @throws state_conflict */
async function checkGifts(ctx: ReadContext, sections: readonly Section[]): Promise<void> {
  const leadMagnets = leadMagnetsOf(ctx);
  for (const { form } of sections) {
    if (form?.leadMagnetId === undefined) continue;
    const magnet = await leadMagnets?.find(ctx.trx, form.leadMagnetId);
    if (magnet?.last_export === null)
      throw coreErrors.state_conflict({
        reason: `The form ${form.formId} gives away the lead magnet ${form.leadMagnetId}, which has no PDF yet. Export it first: POST /v1/lead-magnets/${form.leadMagnetId}/export.`,
      });
  }
}
