// Messages of SQS and SNS. Called by index.ts only.
import type { QueueCalls, Service } from '../../core/index.ts';
import { LambdaHostError } from './errors.ts';
import type { SnsRecord, SqsRecord } from './events.ts';
import type { Budget } from './time.ts';

/** The result of an SQS event. With ReportBatchItemFailures, only these messages are delivered again. */
export interface SqsResult {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

/**
 * Runs the jobs of the messages. Messages of a FIFO queue run one after another, up to the first failure; that message and all
 * later messages are delivered again, in their order.
 */
export async function runSqsRecords(
  service: Pick<QueueCalls, 'runMessages'> & Pick<Service, 'core'>,
  records: readonly SqsRecord[],
  budget: Budget,
): Promise<SqsResult> {
  const ordered = records.some(({ eventSourceARN }) => eventSourceARN.endsWith('.fifo'));
  const messages = records.map(({ messageId, body }) => ({ id: messageId, body }));
  const { failed } = await service.runMessages(messages, { ...budget, ordered });
  for (const { id, reason } of failed)
    service.core.log.warn({ message_id: id, cause: reason }, 'a message of SQS will be delivered again');
  return { batchItemFailures: failed.map(({ id }) => ({ itemIdentifier: id })) };
}

/** The message as SNS would have posted it. Lambda spells two of its names differently. */
function postedForm({ SigningCertUrl, UnsubscribeUrl, MessageAttributes: _, ...rest }: SnsRecord['Sns']): string {
  return JSON.stringify({ ...rest, SigningCertURL: SigningCertUrl, UnsubscribeURL: UnsubscribeUrl });
}

/**
 * Passes each message to the route that also receives it over HTTPS and that checks its signature.
 * @throws LambdaHostError for a message that was refused; Lambda retries the event twice
 */
export async function postSnsRecords(
  service: Pick<Service, 'dispatch'>,
  records: readonly SnsRecord[],
  path: string,
): Promise<void> {
  const headers = {
    'content-type': 'text/plain; charset=UTF-8',
    'user-agent': 'Amazon Simple Notification Service Agent',
  };
  // The function itself posts the messages, so limits by address count them together.
  const request = { method: 'POST', url: path, headers, address: '127.0.0.1' };
  for (const { Sns: message } of records) {
    const { status, body } = await service.dispatch({ ...request, body: postedForm(message) });
    if (status < 400) continue;
    const reason = `${path} answered ${status} to the message ${message.MessageId} of ${message.TopicArn}`;
    throw new LambdaHostError('message_refused', `${reason}: ${typeof body === 'string' ? body : ''}`);
  }
}
