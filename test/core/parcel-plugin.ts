// A small plugin for the tests of events: it emits events whose names have two and three parts, and custom events.
import { z } from 'zod';
import {
  defineEvent,
  type EventDeclaration,
  type SubscriberDeclaration,
} from '../../core/contract/declaration/events.ts';
import { defineOperation } from '../../core/contract/declaration/operation.ts';
import { definePlugin } from '../../core/contract/declaration/plugin.ts';

const parcel = z.object({ name: z.string(), weight: z.number() });

const packedEvent = defineEvent({
  type: 'parcel.packed',
  description: 'A parcel was packed.',
  data: parcel,
  example: { name: 'p1', weight: 1.5 },
});

const printedEvent = defineEvent({
  type: 'parcel.label.printed',
  description: 'The label of a parcel was printed.',
  data: parcel,
  example: { name: 'p1', weight: 1.5 },
});

declare module '../../core/contract/open.ts' {
  interface EventMap {
    'parcel.packed': z.output<typeof parcel>;
    'parcel.label.printed': z.output<typeof parcel>;
  }
  interface Api {
    parcels: {
      readonly parcels: { pack(input: { name: string }, options?: { trx?: object }): Promise<{ packed: string }> };
    };
  }
}

const packParcel = defineOperation({
  id: 'parcels.pack',
  summary: 'Pack a parcel',
  http: 'POST /v1/parcels',
  scopes: ['parcels:write'],
  idempotency: 'replay',
  input: { body: z.object({ name: z.string(), as: z.string().optional() }) },
  output: z.object({ packed: z.string() }),
  emits: ['parcel.packed', 'parcel.label.printed'],
  audit: { action: 'parcel.pack', target: ({ packed: id }) => ({ kind: 'parcel', id }) },
  fixture: async () => ({ body: { name: 'p1' } }),
  async handler(ctx, { body: { name, as } }) {
    if (as === undefined) ctx.emit('parcel.packed', { name, weight: 0.1 + 0.2 });
    else if (as === 'parcel.label.printed') ctx.emit(as, { name, weight: 1 });
    else {
      const contact = { id: 'con_01JD3Q5S8ZK2M4N6P8R0T2V4W6', external_id: null, email: 'ada@example.com' };
      await ctx.emitCustom(as, { contact, metadata: { name } }, { subject: contact.id });
    }
    return { packed: name };
  },
});

/** The plugin with these subscribers. */
export const parcelPlugin = (subscribers: readonly SubscriberDeclaration[] = []) =>
  definePlugin({
    id: 'parcels',
    scopes: [{ scope: 'parcels:write', description: 'Packs parcels.' }],
    operations: [packParcel],
    events: [packedEvent, printedEvent] as readonly EventDeclaration[],
    subscribers,
  });
