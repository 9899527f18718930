// A service with webhooks and a receiver for tests of deliveries, on one of the test databases. Its events belong to a small plugin,
// so that a test can emit any event at any time.
import { type CustomEventData, defineEvent, definePlugin, type TransactionContext, z } from '../../core/index.ts';
import type { ServiceOptions } from '../../core/kernel/options.ts';
import { createEffects } from '../../core/pipeline/call-effects.ts';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import type { TestService } from '../../hosts/testing/test-service.ts';
import { webhooksPlugin } from '../../plugins/webhooks/index.ts';
import type { TestDatabase } from './databases.ts';
import { migratedTestService } from './migrated-tables.ts';
import { type ScriptedResponse, WebhookReceiver } from './webhook-receiver.ts';

declare module '../../core/contract/open.ts' {
  interface EventMap {
    'parcel.moved': { readonly parcel: string };
    'parcel.lost': { readonly parcel: string };
  }
}

const data = z.object({ parcel: z.string() });
const define = (type: 'parcel.moved' | 'parcel.lost', minimumTier: number) =>
  defineEvent({ type, description: 'A parcel went somewhere.', data, example: { parcel: 'A-1' }, minimumTier });

/** Two events; the second is only for the plan enterprise. */
export const parcelsPlugin = definePlugin({
  id: 'parcels',
  events: [define('parcel.moved', 0), define('parcel.lost', 4)],
});

export const webhookPlugins = [parcelsPlugin, webhooksPlugin()] as const;
type Plugins = (typeof webhookPlugins)[number]['id'];

/** A delivery as the API shows it. */
export interface BenchDelivery {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly status: string;
  readonly attempts: readonly {
    readonly at: string;
    readonly status_code: number | null;
    readonly error: string | null;
    readonly response_excerpt: string | null;
  }[];
  readonly next_attempt_at: string | null;
}

/** The parts of a test of deliveries. */
export interface WebhookBench {
  readonly test: TestService<Plugins>;
  readonly receiver: WebhookReceiver;
  /** Subscribes the receiver, or another URL. Returns the subscription with its secret. */
  subscribe(events?: readonly string[], url?: string): Promise<{ readonly id: string; readonly secret: string }>;
  emit(parcel?: string, type?: 'parcel.moved' | 'parcel.lost', workspaceId?: string): Promise<string>;
  /** Emits a custom event, live or in the sandbox. (Default: live) Returns the number of subscriptions that it reached. */
  emitCustom(type: string, metadata?: CustomEventData['metadata'], sandbox?: boolean): Promise<number>;
  /** Runs a call's effects, live or in the sandbox. */
  write(sandbox: boolean, work: (ctx: TransactionContext) => Promise<void>): Promise<void>;
  /** The deliveries of a subscription, oldest first. */
  deliveries(webhookId: string): Promise<readonly BenchDelivery[]>;
  /** The only delivery of a subscription. */
  delivery(webhookId: string): Promise<BenchDelivery>;
  close(): Promise<void>;
}

/** The contact in custom events. */
export const contact = { id: 'con_01JD3Q5S8ZK2M4N6P8R0T2V4W6', external_id: 'user-1', email: null };

/** Opens a bench on fresh tables of the database. `options` override the bench's options. */
export async function openWebhookBench(
  database: TestDatabase,
  answer: ScriptedResponse = 200,
  options: Partial<ServiceOptions<Plugins>> = {},
): Promise<WebhookBench> {
  const receiver = await WebhookReceiver.start(answer);
  const test = await migratedTestService<Plugins>(database, {
    ...options,
    plugins: webhookPlugins,
  });
  const kit = createFixtureKit(test);
  const calls = test.service.as(test.workspaceId);
  const write: WebhookBench['write'] = async (sandbox, work) => {
    const { core, workspaces } = test.service;
    const [database, workspace] = [await core.database(), await workspaces.read(test.workspaceId)];
    await database.transact(async (scope) => {
      await work(createEffects({ core, scope, workspace, now: core.ports.now(), sandbox }));
      await scope.flush();
    });
  };
  return {
    test,
    receiver,
    subscribe: (events = ['*'], url = receiver.url) => calls.webhooks.create({ url, events: [...events] }),
    emit: (parcel = 'A-1', type = 'parcel.moved', workspaceId = test.workspaceId) =>
      kit.write(async (ctx) => ctx.emit(type, { parcel }), workspaceId),
    async emitCustom(type, metadata = {}, sandbox = false) {
      let reachedCount = 0;
      await write(sandbox, async (ctx) => {
        const { fanOut } = await ctx.emitCustom(type, { contact, metadata }, { subject: contact.id });
        reachedCount = fanOut['webhooks_dispatched'] ?? 0;
      });
      return reachedCount;
    },
    write,
    async deliveries(id) {
      const { data } = await calls.webhooks.deliveries({ id, limit: 100 });
      return [...data].reverse();
    },
    async delivery(id) {
      const { data } = await calls.webhooks.deliveries({ id });
      const [one] = data;
      if (one === undefined || data.length > 1) throw new Error(`The webhook has ${data.length} deliveries, not one.`);
      return one;
    },
    async close() {
      await test.close();
      await receiver.close();
    },
  };
}
