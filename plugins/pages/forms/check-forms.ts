// Checks that the resources which a page's forms name exist, and that the publisher has the scopes that the forms need.
import { coreErrors, type ErrorDetail, type OperationContext, type ReadContext } from '../../../core/index.ts';
import type { ListsService } from '../../lists/index.ts';
import type { SequenceEntrance } from '../../sequences/index.ts';
import { asksToConfirm, type PageForm } from '../sections/form.ts';
import type { Section } from '../sections/schema.ts';
import { leadMagnetsOf } from './lead-magnets.ts';

async function faultsOf(ctx: ReadContext, form: PageForm, at: string): Promise<ErrorDetail[]> {
  const { services, trx } = ctx;
  const { listId, sequenceKey, leadMagnetId } = form;
  const lists: ListsService | undefined = services.lists;
  const sequences: SequenceEntrance | undefined = services.sequenceEntrance;
  const leadMagnets = leadMagnetsOf(ctx);
  const faults: ErrorDetail[] = [];
  const missing = (path: string, plugin: string) =>
    faults.push({
      path: `${at}.${path}`,
      code: 'not_composed',
      message: `This needs the plugin ${plugin}, and the service is composed without it.`,
    });
  const unknown = (path: string, what: string) =>
    faults.push({ path: `${at}.${path}`, code: 'unknown', message: `There is no ${what}.` });

  if (asksToConfirm(form) && lists === undefined) missing('fields', 'lists, which asks addresses to confirm');
  // Locked: a list that a published page names is not deleted.
  if (listId !== undefined && lists !== undefined && (await lists.find(trx, listId, 'share')) === undefined)
    unknown('listId', `list ${listId}`);
  if (sequenceKey !== undefined) {
    if (sequences === undefined) missing('sequenceKey', 'sequences');
    else if (!(await sequences.knows(trx, sequenceKey))) unknown('sequenceKey', `sequence ${sequenceKey}`);
  }
  if (leadMagnetId !== undefined) {
    if (leadMagnets === undefined) missing('leadMagnetId', 'lead-magnets');
    else if ((await leadMagnets.find(trx, leadMagnetId)) === undefined)
      unknown('leadMagnetId', `lead magnet ${leadMagnetId}`);
  }
  return faults;
}

/** The faults of forms that name missing resources. `at` is the path of the sections in the request. */
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

/** The scopes that forms need, because publishing grants them to everyone who sends a form. */
const needsOf = (sections: readonly Section[]) =>
  sections.flatMap(({ form }, index) => [
    ...(form?.listId === undefined ? [] : [{ form, path: `sections.${index}.form.listId`, scope: 'lists:write' }]),
    ...(form?.sequenceKey === undefined
      ? []
      : [{ form, path: `sections.${index}.form.sequenceKey`, scope: 'sequences:trigger' }]),
  ]);

/** Checks the forms of a page before it is published. @throws validation_failed, insufficient_scope, state_conflict */
export async function checkForms(ctx: OperationContext, sections: readonly Section[]): Promise<void> {
  const missing = needsOf(sections).filter(({ scope }) => !ctx.holds(scope));
  const [first] = missing;
  if (first !== undefined)
    throw coreErrors.insufficient_scope(
      { scopes: [`${first.scope} (for the form ${first.form.formId})`] },
      {
        details: missing.map(({ form, path, scope }) => ({
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
