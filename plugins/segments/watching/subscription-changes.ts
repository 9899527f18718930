// Begins to watch segments in the transaction in which a webhook subscribes to their events: the entry of
// `webhooks.changes`.
import type { SubscriptionChanges } from '../../webhooks/index.ts';
import { updateWatches } from './update-watches.ts';

export const createSubscriptionChanges = (): SubscriptionChanges => ({ changed: updateWatches });
