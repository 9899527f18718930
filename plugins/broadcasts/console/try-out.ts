// Trying a draft of a broadcast out in the console: the mail as a contact would get it, and a test mail to people of the team.
import {
  type ConsoleAction,
  type ConsoleContext,
  type ConsoleDocument,
  coreErrors,
  isPostriderError,
} from '../../../core/index.ts';
import {
  actionForm,
  documentFrame,
  filterForm,
  type Html,
  html,
  panel,
  wordsForPeople,
} from '../../../core/unstable.ts';
import type { BroadcastResource } from '../broadcasts.ts';

/** The maximum number of members that the form offers. */
const maxMembers = 100;

const idOf = ({ params }: ConsoleContext): string => params['broadcastId'] ?? '';

/** The contact that the query names by address or external id; undefined if it names nobody that exists. */
async function namedContact({ calls, mayCall, query }: ConsoleContext) {
  const named = query['contact'];
  if (named === undefined || !mayCall('contacts.list')) return undefined;
  const exact = named.includes('@') ? { email: named } : { external_id: named.slice(0, 200) };
  const { data } = await calls.contacts.list({ limit: 1, ...exact });
  return data[0];
}

/** The rendered mail, which the page embeds as a frame. */
export async function previewDocument(ctx: ConsoleContext): Promise<ConsoleDocument> {
  const contact = await namedContact(ctx);
  try {
    const { html: document } = await ctx.calls.broadcasts.preview({
      broadcastId: idOf(ctx),
      ...(contact === undefined ? {} : { contactId: contact.id }),
    });
    return { document };
  } catch (error) {
    if (!isPostriderError(error) || error.status >= 500 || error.code === 'broadcast_not_found') throw error;
    return {
      document: `<!doctype html><title>No preview</title>${html`<p>${wordsForPeople(error.message)}</p>`.html}`,
    };
  }
}

/** The preview, with a field that names the contact. */
async function previewPart(ctx: ConsoleContext, { broadcastId, name }: BroadcastResource): Promise<Html> {
  const path = `broadcasts/${broadcastId}`;
  const named = ctx.query['contact'];
  const contact = await namedContact(ctx);
  const ask = ctx.mayCall('contacts.list')
    ? filterForm(ctx, path, [{ name: 'contact', label: 'As this contact gets it (address or external id)' }])
    : null;
  const about =
    named === undefined
      ? 'Variables show the examples of the template.'
      : contact === undefined
        ? `No contact has the address or the external id ${named}. Variables show the examples of the template.`
        : `As ${contact.email ?? contact.external_id ?? contact.id} gets it.`;
  const frame = documentFrame(ctx.link(`${path}/preview`, { contact: named }), `Preview of ${name}`);
  return panel('Preview', html`${ask}<p class="quiet" dir="auto">${about}</p>${frame}`);
}

async function testForm(ctx: ConsoleContext, { name }: BroadcastResource): Promise<Html | null> {
  if (!ctx.mayCall('broadcasts.test')) return null;
  const members = ctx.mayCall('workspace.members')
    ? (await ctx.calls.workspace.members({ limit: maxMembers })).data
    : [];
  const choices = members.map((member) => [member.email, `${member.name} (${member.email})`] as const);
  return actionForm(ctx, 'test', {
    label: 'Send a test',
    question: html`“${name}” goes to these people now, with [Test] before its subject. The report does not count it.`,
    verb: 'Send the test',
    inputs: [
      ...(choices.length === 0
        ? []
        : [{ name: 'member', label: 'Member of the team', options: [['', 'Nobody'] as const, ...choices] }]),
      { name: 'to', label: 'Addresses of members or on your sending domains, separated by commas', maxLength: 1_000 },
    ],
  });
}

/** Sends the test to the member and to the addresses, in the form that the contact of the query would get. */
export const testAction: ConsoleAction = {
  done: 'The test was accepted. The list of sends shows its status.',
  async run(ctx, { idempotencyKey, fields: { member = '', to = '' } }) {
    const addresses = [member, ...to.split(/[\s,;]+/)].filter((address) => address !== '');
    if (addresses.length === 0) throw coreErrors.validation_failed({ summary: 'Choose a member or write an address.' });
    const contact = await namedContact(ctx);
    await ctx.calls.broadcasts.test(
      { broadcastId: idOf(ctx), to: addresses, ...(contact === undefined ? {} : { contactId: contact.id }) },
      { idempotencyKey },
    );
  },
};

/** The preview and the test, if the broadcast is a draft that has a template. */
export async function tryOutParts(ctx: ConsoleContext, broadcast: BroadcastResource): Promise<Html | null> {
  if (broadcast.status !== 'draft' || broadcast.templateKey === null) return null;
  return html`${await testForm(ctx, broadcast)}${await previewPart(ctx, broadcast)}`;
}
