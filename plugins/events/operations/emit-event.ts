import {
  coreErrors,
  defineOperation,
  isoTime,
  personal,
  personReference,
  reservedFault,
  reservedName,
  toIsoTime,
  z,
} from '../../../core/index.ts';
import { outsideDomain } from '../../../core/unstable.ts';
import { notifyRecorded } from '../listeners.ts';
import { eventMetadata, flatten } from '../metadata.ts';
import { reservedNames } from '../reserved-families.ts';

const contactReference = z
  .strictObject(personReference)
  .describe(
    'The contact of the event: at least one identifier. All of them mean one contact; external_id takes precedence over email, and email over id.',
  );

export const emitEvent = defineOperation({
  id: 'events.emit',
  summary: 'Record a custom event',
  description:
    'Something that happened in your product, under any name. It is added to the timeline of its contact and to the audit, advances ' +
    'sequences and goes to webhooks; fan_out counts them, in the same transaction. An unknown external_id or email creates a contact. ' +
    'A sandbox key reaches contacts of the sandbox only.',
  http: 'POST /v1/events',
  tool: { name: 'emit_event', inCoreToolset: true },
  searchWords: [
    'happened',
    'bought',
    'purchase',
    'signed',
    'order',
    'upgraded',
    'paid',
    'track',
    'trigger',
    'started',
    'cancelled',
    'returned',
    'finished',
    'expired',
    'renewed',
    'refunded',
    'booking',
  ],
  scopes: ['events:write'],
  idempotency: 'replay',
  input: {
    body: z.object({
      type: z
        .string()
        .min(1)
        .max(200)
        .refine((text) => !/\p{Cc}/u.test(text), 'A type has no control characters.')
        // Checked here as well as against the composed catalogue, so that it is reported together with other faults.
        .superRefine((type, context) => {
          if (reservedNames.has(type))
            context.addIssue({ code: 'custom', params: { code: 'reserved_name' }, message: reservedName(type) });
        })
        .describe(
          "Any name that is not in the event catalogue. In one of the service's own families, such as page.viewed, it reaches subscriptions to * only, and no sequence.",
        )
        .meta({ examples: ['order.placed'] }),
      contact: contactReference.default({}),
      metadata: eventMetadata.default({}),
    }),
  },
  fieldHints: {
    'contact.attributes': 'An event changes no attributes: set them with POST /v1/contacts.',
  },
  output: z
    .object({
      id: z.string().describe('Prefix evt_.'),
      type: z.string(),
      contact: z.object({
        id: z.string(),
        external_id: personal('identifier', z.string().nullable()),
        email: z.string().nullable(),
      }),
      metadata: personal('text', z.record(z.string(), z.unknown())),
      received_at: isoTime,
      fan_out: z
        .object({
          sequences_woken: z.int().describe('The number of sequence runs that the event advanced.'),
          webhooks_dispatched: z.int().describe('The number of subscriptions that get the event.'),
        })
        .catchall(z.int())
        .describe('The number of receivers of the event, for each composed plugin.'),
    })
    .meta({ id: 'CustomEvent' }),
  status: 201,
  errors: ['contact_required', 'contact_not_found'],
  retryOnConflict: true,
  emits: ['contact.created', 'contact.updated'],
  leash: {
    recipients: () => 1,
    disallowedRecipient: async (ctx, { body: { contact } }, allowed) =>
      outsideDomain(await ctx.services.contacts.addressesOf(ctx.trx, contact), allowed),
  },
  audit: { action: 'event.emit', target: ({ contact: { id } }) => ({ kind: 'contact', id }) },
  fixture: async (kit) => ({
    body: {
      type: 'order.placed',
      contact: { external_id: kit.unique('user'), email: `${kit.unique('person')}@example.com` },
      metadata: { order_id: 'A-1042', total: 42.5, items: ['mug', 'pen'], shipping: { express: true } },
    },
    foreign: {
      body: {
        contact: {
          id: (
            await kit.call('contacts.upsert', { email: `${kit.unique('her')}@example.com` }, kit.foreignWorkspaceId)
          )['id'],
        },
        'contact.external_id': 'skipped: an id of the caller: one that is not known makes a contact',
      },
    },
    errors: {
      contact_required: async () => ({ body: { type: 'order.placed' } }),
      contact_not_found: async () => ({
        body: { type: 'order.placed', contact: { id: 'con_01ARZ3NDEKTSV4RRFFQ69G5FAV' } },
      }),
    },
  }),

  async handler(ctx, { body: { type, contact: reference, metadata } }) {
    const reserved = reservedFault(ctx.ports.events, type);
    if (reserved !== undefined) {
      const details = [{ path: 'type', code: 'reserved_name', message: reserved }];
      throw coreErrors.validation_failed({ summary: reserved }, { details });
    }
    const { contacts } = ctx.services;
    const resolved = await contacts.resolve(ctx, reference, { create: true, rename: ctx.holds('contacts:write') });
    const { id, external_id, email } = resolved;
    const contact = { id, external_id, email };
    // The lock ensures that a run which another transaction is starting for the contact finds this event, or that this event finds the run.
    if (!resolved.created) await contacts.lock(ctx.trx, [id], 'update');
    const event = await ctx.emitCustom(type, { contact, metadata }, { subject: id });
    contacts.addToTimeline(ctx, id, { id: event.id, type, metadata });
    await notifyRecorded(ctx, { id: event.id, type, contactId: id, email, metadata, at: ctx.now });
    ctx.note({ ...contacts.notesOf(resolved), type, ...flatten(metadata, 'metadata') });
    return {
      id: event.id,
      type,
      contact,
      metadata,
      received_at: toIsoTime(ctx.now),
      // Always present, so that callers do not need to check which plugins are composed.
      fan_out: { sequences_woken: 0, webhooks_dispatched: 0, ...event.fanOut },
    };
  },
});
