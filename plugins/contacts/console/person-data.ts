// What the law asks for, on a contact's page in the console: everything that is kept of a person as a file, and its erasure.
import type { ConsoleAction, ConsoleContext, ConsoleDownload } from '../../../core/index.ts';
import { actionForm, conclusion, type Html, html, panel } from '../../../core/unstable.ts';
import type { Contact } from '../schema.ts';
import { nameOf } from './list.ts';

/** Everything that is kept of the person, as a file. */
export async function exportPage(ctx: ConsoleContext): Promise<ConsoleDownload> {
  const contactId = ctx.params['contactId'] ?? '';
  const found = await ctx.calls.contacts.export({ contactId });
  const content = `${JSON.stringify(found, undefined, 2)}\n`;
  return { download: { fileName: `${contactId}.json`, type: 'application/json; charset=utf-8', content } };
}

/** Erases the contact of the page. */
export const eraseAction: ConsoleAction = {
  async reveal(ctx, { idempotencyKey }) {
    const { id } = await ctx.calls.contacts.delete({ contactId: ctx.params['contactId'] ?? '' }, { idempotencyKey });
    return {
      heading: 'Erased',
      body: html`${conclusion('good', html`The contact ${id} was erased.`, 'Figures of mail that was sent stay, under a pseudonym. A suppression goes on protecting the address.')}<p><a class="button" href="${ctx.link('contacts')}">To the contacts</a></p>`,
    };
  },
};

function eraseForm(ctx: ConsoleContext, contact: Contact): Html {
  const sides = ctx.side === 'live' ? 'on the live side and in the sandbox' : 'in the sandbox';
  return actionForm(ctx, 'erase', {
    label: 'Erase',
    question: html`${nameOf(contact)} is erased ${sides}, for good: the contact, its timeline, its memberships and its address everywhere. Mail that has not left is not sent.`,
    verb: 'Erase the contact',
    isDestructive: true,
  });
}

/** What the person may do about the data of the contact. */
export function personDataPanel(ctx: ConsoleContext, contact: Contact): Html | null {
  const file = ctx.mayCall('contacts.export')
    ? html`<p><a class="button" href="${ctx.link(`contacts/${contact.id}/export`)}">Download all data</a></p>`
    : null;
  const erase = ctx.mayCall('contacts.delete') ? eraseForm(ctx, contact) : null;
  return file === null && erase === null ? null : panel('Personal data', html`${file}${erase}`);
}
