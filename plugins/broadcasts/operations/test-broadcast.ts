import {
  coreErrors,
  defineOperationWithPrepare,
  emailAddress,
  idParameter,
  type OperationContext,
  z,
} from '../../../core/index.ts';
import { outsideDomain } from '../../../core/unstable.ts';
import { type BroadcastRow, broadcastRows } from '../broadcasts.ts';
import { senderFaults } from '../checks/faults.ts';
import { errors } from '../errors.ts';
import { variantName } from '../experiments/schema.ts';
import { headersOf, utmOf } from '../mail.ts';
import { mailFor } from '../test-mails/mail-for.ts';
import { addressFaults, distinct } from '../test-mails/own-people.ts';
import { currentTestedMail } from '../test-mails/tested.ts';
import { lockBroadcast, requireState } from '../transitions.ts';
import { draftWithoutName, emptyDraft, someContact, someDraft, someScheduled } from './fixture-rows.ts';

/** The maximum number of addresses of one test. */
const maxAddresses = 5;
const missing = 'con_01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** An address of the workspace's own sending domain. */
const ownAddress = 'team@example.com';

function checkSender(ctx: OperationContext, from: BroadcastRow['from']): void {
  const faults = senderFaults(ctx, from);
  const [first] = faults;
  if (first !== undefined)
    throw errors.broadcast_invalid({ faults: faults.length, first: first.message }, { details: faults });
}

export const testBroadcast = defineOperationWithPrepare({
  id: 'broadcasts.test',
  summary: 'Send a test of a broadcast',
  description:
    'Real mail, sent at once, with [Test] before its subject. Suppressed addresses get no mail; quiet hours and caps do not apply. The list of sends shows them; the broadcast does not count them. A sandbox key sends nothing outside. A contactId needs contacts:read, too.',
  http: 'POST /v1/broadcasts/{broadcastId}/test',
  tool: { name: 'test_broadcast', openWorld: true },
  searchWords: ['try', 'proof', 'sample', 'myself', 'colleague'],
  scopes: ['broadcasts:send'],
  idempotency: 'replay',
  input: {
    params: z.object({ broadcastId: idParameter('brc') }),
    body: z.object({
      to: z
        .array(emailAddress)
        .min(1)
        .max(maxAddresses)
        .describe('Up to 5 members of the workspace, or addresses on its sending domains.'),
      contactId: idParameter('con')
        .optional()
        .describe('Rendered for this contact (prefix con_). (Default: examples of the template)'),
      variant: variantName.optional().describe('A variant of its experiment. (Default: the mail without variants)'),
    }),
  },
  output: z
    .object({
      broadcastId: z.string(),
      sends: z.array(
        z.object({
          sendId: z.string().describe('Prefix snd_.'),
          to: z.string(),
          status: z.string().describe('sent means accepted; suppressed means that nothing is sent.'),
          whyNotSent: z.string().optional(),
        }),
      ),
    })
    .meta({ id: 'BroadcastTest' }),
  status: 202,
  errors: [
    ...['broadcast_not_found', 'broadcast_invalid', 'contact_not_found', 'variables_invalid'],
    ...['state_conflict', 'insufficient_scope', 'send_budget_exhausted'],
  ],
  emits: ['send.queued', 'transactional.suppressed', 'budget.reached'],
  leash: {
    recipients: (_ctx, { body }) => distinct(body.to).length,
    disallowedRecipient: (_ctx, { body }, allowed) => outsideDomain(body.to, allowed),
  },
  audit: { action: 'broadcast.test', target: ({ broadcastId: id }) => ({ kind: 'broadcast', id }) },
  fixture: async (kit) => ({
    params: { broadcastId: await someDraft(kit, kit.workspaceId) },
    body: { to: [ownAddress] },
    foreign: {
      params: { broadcastId: await someDraft(kit, kit.foreignWorkspaceId) },
      body: { contactId: await someContact(kit, kit.foreignWorkspaceId) },
    },
    errors: {
      broadcast_invalid: async (own) => ({ params: { broadcastId: await emptyDraft(own, own.workspaceId) } }),
      contact_not_found: async () => ({ body: { to: [ownAddress], contactId: missing } }),
      variables_invalid: async (own) => {
        const { params, contactId } = await draftWithoutName(own);
        return { params, body: { to: [ownAddress], contactId } };
      },
      state_conflict: async (own) => ({ params: { broadcastId: await someScheduled(own, own.workspaceId) } }),
      insufficient_scope: 'unreachable here: shown in test/plugins/broadcasts-test-mails.test.ts',
      send_budget_exhausted: 'unreachable here: shown in test/plugins/broadcasts-test-mails.test.ts',
    },
  }),

  async prepare(ctx, { params: { broadcastId: id }, body: { to, contactId } }) {
    if (contactId !== undefined && !ctx.holds('contacts:read'))
      throw coreErrors.insufficient_scope({ scopes: ['contacts:read'] });
    // The error for a broadcast of another workspace is the same as for a missing one, whatever the addresses are.
    if ((await ctx.read(({ trx }) => broadcastRows.find(trx, id))) === undefined)
      throw errors.broadcast_not_found({ id });
    return addressFaults(to, await ctx.ports.members.list(ctx.workspace.id), ctx.workspace);
  },

  async handler(ctx, { params: { broadcastId: id }, body: { to, contactId, variant } }, faults) {
    ctx.refuse(faults);
    const row = await lockBroadcast(ctx, id);
    requireState(row, ['draft'], 'tested');
    const { template, from, variables } = await mailFor(ctx, row, { contactId, variant }, ctx.now);
    // A variant may have a sender of its own.
    checkSender(ctx, from);
    const sends = await ctx.services.bulkMail.acceptTest(ctx, {
      template,
      variables,
      from: from ?? ctx.workspace.defaultFrom,
      replyTo: row.reply_to?.email,
      headers: headersOf(ctx, row),
      utm: utmOf(row),
      metadata: { broadcastId: id, test: true },
      to: distinct(to),
    });
    // A test does not change the draft, so its version and its pending decision stay.
    await broadcastRows.update(ctx.trx, id, { tested: await currentTestedMail(ctx, row, template) });
    ctx.note({ sends: sends.length });
    return {
      broadcastId: id,
      sends: sends.map(({ id: sendId, to: address, status, whyNotSent }) => ({
        sendId,
        to: address,
        status,
        ...(whyNotSent === undefined ? {} : { whyNotSent }),
      })),
    };
  },
});
