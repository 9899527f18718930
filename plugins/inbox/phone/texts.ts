// SMS texts that stayed in the process. They are sealed, because they contain login codes. The delivery jobs of SMS store them,
// and the phone page reads them.
import {
  column,
  defineTable,
  filledList,
  type Keyring,
  type RowOf,
  type StoredRow,
  type TransactionContext,
  tenantRows,
  type WorkspaceHandle,
} from '../../../core/index.ts';

export const inboxTexts = defineTable(
  'inbox_texts',
  {
    /** The id of the SMS is also the id of its only text. */
    sms_id: column.id('sms'),
    origin: column.word<'sandbox' | 'live'>(),
    template_key: column.key(),
    to_number: column.address(),
    segments: column.integer(),
    sealed: column.bytes(),
    created_at: column.time(),
  },
  // The whole row is removed, because the text reveals more about the person than the columns do.
  { sides: true, key: 'sms_id', personal: { columns: { to_number: 'address' }, rows: 'remove' } },
);

type InboxTextRow = RowOf<typeof inboxTexts>;

declare module '../../../core/contract/open.ts' {
  interface Tables {
    inbox_texts: StoredRow<typeof inboxTexts>;
  }
}

const textRows = tenantRows(inboxTexts);

/** The maximum number of texts of one workspace. The oldest are removed first. */
const maxTexts = 1_000;

/** A text to store. */
export interface SmsToStore {
  readonly sms: {
    readonly id: string;
    readonly template_key: string;
    readonly to_number: string;
    readonly segments: number;
  };
  readonly body: string;
  readonly origin: 'sandbox' | 'live';
}

/** A text as the page shows it. */
export interface InboxTextView extends Omit<InboxTextRow, 'sealed'> {
  readonly body: string;
}

const contextOf = (workspaceId: string, smsId: string): string => `inbox:${workspaceId}:${smsId}`;

/** Stores a text in the transaction. If the SMS already has a text, that text stays. */
export async function storeText(
  { trx, now, workspace }: TransactionContext,
  keyring: Keyring,
  text: SmsToStore,
): Promise<void> {
  const { sms, body, origin } = text;
  const sealed = keyring.seal(Buffer.from(body), contextOf(workspace.id, sms.id));
  const row: InboxTextRow = {
    sms_id: sms.id,
    origin,
    template_key: sms.template_key,
    to_number: sms.to_number,
    segments: sms.segments,
    sealed,
    created_at: now,
  };
  await textRows.insertUnlessTaken(trx, row);
  const both = trx.bothSides('both sides share the storage limits of the inbox');
  const old = await both.db
    .selectFrom('inbox_texts')
    .select('sms_id')
    .orderBy('created_at', 'desc')
    .orderBy('sms_id', 'desc')
    .offset(maxTexts)
    .limit(50)
    .execute();
  const ids = old.map(({ sms_id: id }) => id);
  if (ids.length > 0) await both.db.deleteFrom('inbox_texts').where('sms_id', 'in', filledList(ids)).execute();
}

/** The newest texts of a workspace, or the text with this id, decrypted. */
export async function listTexts(
  handle: WorkspaceHandle,
  keyring: Keyring,
  { limit, id }: { readonly limit: number; readonly id?: string | undefined },
): Promise<InboxTextView[]> {
  const rows = await textRows.page(handle, { where: id === undefined ? {} : { sms_id: id }, limit });
  return rows.map(({ sealed, ...row }) => ({
    ...row,
    body: Buffer.from(keyring.open(sealed, contextOf(handle.workspaceId, row.sms_id))).toString('utf8'),
  }));
}
