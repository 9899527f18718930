// The rights that the law gives a person, on the page of a contact in the console: an export of all stored data about the person, and the
// erasure.
import type { ConsoleAction, ConsoleContext, ConsoleDownload } from '../../../core/index.ts';
import { actionForm, conclusion, type Html, html, panel } from '../../../core/unstable.ts';
import type { Contact } from '../schema.ts';
import { nameOf } from './list.ts';

/** Everything that is stored about the person, as a file. */
export async function exportPage(ctx: ConsoleContext): Promise<ConsoleDownload> {
  const contactId = ctx.params['contactId'] ?? '';
  const personData = await ctx.calls.contacts.export({ contactId });
  const content = `${JSON.stringify(personData, undefined, 2)}\n`;
  return { download: { fileName: `${contactId}.json`, type: 'application/json; charset=utf-8', content } };
}

/** Erases the contact of the page. */
export const eraseAction: ConsoleAction = {
  async reveal(ctx, { idempotencyKey }) {
    const { id } = await ctx.calls.contacts.delete({ contactId: ctx.params['contactId'] ?? '' }, { idempotencyKey });
    return {
      heading: 'Erased',
      body: html`${conclusion('good', html`The contact ${id} was erased.`, 'The counts of sent mail stay, under a pseudonym. A suppression still protects the address.')}<p><a class="button" href="${ctx.link('contacts')}">To the contacts</a></p>`,
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

/** The panel with the export and the erasure, as far as the visitor may use them. */
export function personDataPanel(ctx: ConsoleContext, contact: Contact): Html | null {
  const file = ctx.mayCall('contacts.export')
    ? html`<p><a class="button" href="${ctx.link(`contacts/${contact.id}/export`)}">Download all data</a></p>`
    : null;
  const erase = ctx.mayCall('contacts.delete') ? eraseForm(ctx, contact) : null;
  return file === null && erase === null ? null : panel('Personal data', html`${file}${erase}`);
}
