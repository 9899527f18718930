// The form and the title of a submission, for its confirmation mail.
import type { ReadContext } from '../../../core/index.ts';
import type { ListsService } from '../../lists/index.ts';
import { type PageSubmissionRow, summaryRows } from '../tables.ts';
import { leadMagnetsOf } from './lead-magnets.ts';

/** Identifies the form among all forms of the workspace. Its mails are counted by this name. */
export const formOf = ({ page_id, form_id }: PageSubmissionRow): string => `${page_id}/${form_id}`;

/** The title of the sign-up in the mail: the lead magnet, the list or, if there is neither, the page. */
export async function titleOf(
  ctx: ReadContext,
  { page_id, slug, list_id, lead_magnet_id, language }: PageSubmissionRow,
): Promise<string> {
  const { services, trx } = ctx;
  const leadMagnets = leadMagnetsOf(ctx);
  const lists: ListsService | undefined = services.lists;
  const magnet = lead_magnet_id === null ? undefined : await leadMagnets?.find(trx, lead_magnet_id);
  const list = list_id === null ? undefined : await lists?.find(trx, list_id);
  const names = [magnet?.title, list?.name].filter((name) => name !== undefined);
  if (names.length > 0) return new Intl.ListFormat(language).format(names);
  return (await summaryRows.find(trx, page_id))?.title ?? slug;
}
