// The page of contacts in the console: a list with a search.
import type { ConsoleContext, ConsoleMatch, ConsoleView } from '../../../core/index.ts';
import {
  clearFilters,
  dataTable,
  emptyNotice,
  filterForm,
  foundById,
  html,
  idOfRow,
  moment,
  nameCell,
  pager,
  pill,
} from '../../../core/unstable.ts';
import type { Contact } from '../schema.ts';

const path = 'contacts';
const pageSize = 50;
/** The maximum length of a text that is searched as a beginning. */
const maxBeginning = 200;

interface ContactsPage {
  readonly data: readonly Contact[];
  readonly next_cursor: string | null;
}

const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);

/**
 * Finds a whole address by look-up. Any other text, or an address that nobody has, is searched as a beginning, and among few contacts also in the
 * middle.
 */
async function find({ calls, query }: ConsoleContext): Promise<ContactsPage> {
  const { search, cursor } = query;
  const page = { limit: pageSize, ...(cursor === undefined ? {} : { cursor }) };
  if (search === undefined) return calls.contacts.list(page);
  if (isAddress(search)) {
    const exact = await calls.contacts.list({ limit: pageSize, email: search });
    if (exact.data.length > 0) return exact;
  }
  if (search.length > maxBeginning) return { data: [], next_cursor: null };
  return calls.contacts.list({ ...page, beginning: search });
}

/** The name of the contact for people. */
export const nameOf = ({ id, email, external_id: externalId }: Contact): string => email ?? externalId ?? id;

const matchOf = (contact: Contact): ConsoleMatch => ({
  title: nameOf(contact),
  detail: contact.email === null ? undefined : (contact.external_id ?? undefined),
  path: `${path}/${contact.id}`,
});

/** The contact with this id, address or external id. If there is none, the contacts whose address or external id begins with the text. */
export async function findContacts({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> {
  const byId = await foundById(text, 'con', async (contactId) => matchOf(await calls.contacts.read({ contactId })));
  if (byId.length > 0) return byId;
  for (const exactFilter of [isAddress(text) ? { email: text } : undefined, { external_id: text }]) {
    if (exactFilter === undefined || text.length > 200) continue;
    const { data } = await calls.contacts.list({ limit: 1, ...exactFilter });
    if (data.length > 0) return data.map(matchOf);
  }
  if (text.length > maxBeginning) return [];
  const { data } = await calls.contacts.list({ limit: 5, beginning: text });
  return data.map(matchOf);
}

const subscribedPill = ({ email, subscribed }: Contact) => {
  if (email === null) return pill('No address');
  return subscribed ? pill('Subscribed', 'good') : pill('No marketing mail', 'wait');
};

export async function contactList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { data, next_cursor: next } = await find(ctx);
  const filter = filterForm(ctx, path, [{ name: 'search', label: 'Address or external id' }]);
  const isFiltered = ctx.query['search'] !== undefined;
  const empty = isFiltered
    ? emptyNotice('No contact has an address or external id that begins with this text.', clearFilters(ctx, path))
    : emptyNotice('Contacts are the people your product writes to. They appear here once it has stored one.');
  const rows = data.map((contact) => [
    nameCell(ctx.link(`${path}/${contact.id}`), nameOf(contact), idOfRow(contact.id)),
    contact.external_id ?? '',
    subscribedPill(contact),
    moment(contact.updated_at, ctx),
  ]);
  const table = data.length === 0 ? empty : dataTable('Contacts', ['Contact', 'External id', 'Mail', 'Changed'], rows);
  const importLink = ctx.mayCall('contacts.import')
    ? html`<p><a class="button" href="${ctx.link(`${path}/import`)}">Import contacts</a></p>`
    : null;
  return { heading: 'Contacts', body: html`${importLink}${filter}${table}${pager(ctx, path, next)}` };
}
