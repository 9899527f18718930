// The temporary subscriptions of `webhooks listen`. Their description names the process. The next call removes subscriptions of
// crashed processes and keeps the subscriptions of running processes.
import { hostname } from 'node:os';
import { isPostriderError } from '../../../core/index.ts';
import { listAll, type Webhook, type WebhookCalls } from './webhook-calls.ts';

const descriptionPattern = /^postrider webhooks listen, process (\d+) on (.+)$/;

/** The age from which a subscription of another machine counts as abandoned, because its process cannot be checked. */
const abandonedAfterMs = 86_400_000;

/** The description of this process's subscription. */
export const ownDescription = (): string => `postrider webhooks listen, process ${process.pid} on ${hostname()}`;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isAbandoned({ description, created_at }: Webhook, now: number): boolean {
  const [, pid, host] = descriptionPattern.exec(description ?? '') ?? [];
  if (host === undefined) return false;
  if (host !== hostname()) return now - Date.parse(created_at) > abandonedAfterMs;
  return Number(pid) === process.pid || !isRunning(Number(pid));
}

/** Removes a subscription. It is not an error if the subscription was already removed. */
export async function removeWebhook({ webhooks }: WebhookCalls, id: string): Promise<void> {
  try {
    await webhooks.delete({ id });
  } catch (error) {
    if (!isPostriderError(error, 'webhook_not_found')) throw error;
  }
}

/** Removes the subscriptions of crashed calls and returns their number. */
export async function removeAbandoned(calls: WebhookCalls, now: number): Promise<number> {
  const abandoned = (await listAll(calls)).filter((webhook) => isAbandoned(webhook, now));
  for (const { id } of abandoned) await removeWebhook(calls, id);
  return abandoned.length;
}
