// Subscriptions that last as long as a call of `webhooks listen`. Their description says whose they are, so that what a
// crash left behind is found by the next call, and what another terminal uses is left alone.
import { hostname } from 'node:os';
import { isPostriderError } from '../../../core/index.ts';
import type { Webhook, WebhookCalls } from './webhook-calls.ts';
import { listAll } from './webhook-calls.ts';

const form = /^postrider webhooks listen, process (\d+) on (.+)$/;

/** One of a machine that is not this one is taken for left behind when it is this old: that machine may be gone. */
const forgottenMs = 86_400_000;

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

function isLeftBehind({ description, created_at }: Webhook, now: number): boolean {
  const [, pid, host] = form.exec(description ?? '') ?? [];
  if (host === undefined) return false;
  if (host !== hostname()) return now - Date.parse(created_at) > forgottenMs;
  return Number(pid) === process.pid || !isRunning(Number(pid));
}

/** Removes a subscription, whoever was faster. */
export async function removeWebhook({ webhooks }: WebhookCalls, id: string): Promise<void> {
  try {
    await webhooks.delete({ id });
  } catch (error) {
    if (!isPostriderError(error, 'webhook_not_found')) throw error;
  }
}

/** Removes what earlier calls could not. Answers how many. */
export async function removeLeftBehind(calls: WebhookCalls, now: number): Promise<number> {
  const left = (await listAll(calls)).filter((webhook) => isLeftBehind(webhook, now));
  for (const { id } of left) await removeWebhook(calls, id);
  return left.length;
}
