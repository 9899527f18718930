// The RabbitMQ that tests use: POSTRIDER_TEST_RABBITMQ, or the local server. Each test has its own queues. If RabbitMQ is missing, the
// tests are skipped, or this throws an error if POSTRIDER_TEST_SERVICES is `required`.
import { randomBytes } from 'node:crypto';
import { connect } from 'amqplib';
import { lanes } from '../../core/contract/declaration/jobs.ts';
import { findService } from './services.ts';

export const rabbitmqUrl = process.env['POSTRIDER_TEST_RABBITMQ'] ?? 'amqp://guest:guest@127.0.0.1:5672';

/** True if the tests can run. Prints a line once if they cannot. */
export async function hasRabbitmq(): Promise<boolean> {
  const isAvailable = await findService('the tests on RabbitMQ', async () => {
    const connection = await connect(rabbitmqUrl, { timeout: 3_000 });
    await connection.close();
    return true;
  });
  return isAvailable === true;
}

/** A prefix that no other test uses. */
export const newQueuePrefix = (): string => `suite_${randomBytes(8).toString('hex')}_`;

/** Deletes the queues of a test. */
export async function deleteQueues(prefix: string): Promise<void> {
  const connection = await connect(rabbitmqUrl);
  const channel = await connection.createChannel();
  for (const name of lanes.flatMap((lane) => [`${prefix}${lane}`, `${prefix}${lane}-again`]))
    await channel.deleteQueue(name);
  await connection.close();
}
