// Sends references to jobs through RabbitMQ. The only file that imports amqplib. Does not connect before its first use.

import { setTimeout as pause } from 'node:timers/promises';
import { type Channel, type ChannelModel, type ConfirmChannel, type ConsumeMessage, connect } from 'amqplib';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import {
  type ConsumeOptions,
  decodeReference,
  encodeReference,
  type JobQueue,
  type Lane,
  lanes,
  type OutgoingReference,
  type ReferenceHandler,
  reasonOf,
} from '../../core/contract/ports/queue.ts';
import { checkConnectionUrl } from '../kit/connection-url.ts';

/** Options of `rabbitmqQueue`. */
export interface RabbitmqQueueOptions {
  /** Such as `amqp://user:password@host:5672/vhost`, or `amqps://` for TLS. */
  readonly url: string;
  /** The prefix of the queue names; the lane follows. (Default: postrider-) */
  readonly prefix?: string;
  /**
   * `quorum` replicates messages over the nodes of a cluster (RabbitMQ 3.10 or later). RabbitMQ cannot change the type of an
   * existing queue, so also set another prefix. (Default: classic)
   */
  readonly queueType?: 'classic' | 'quorum';
}

const connectMs = 5_000;
/** The time limit of a confirmation. RabbitMQ confirms nothing while it is short of memory or disk space. */
const confirmMs = 10_000;
const reconnectMs = 1_000;
/** The pause before a message is delivered again if its job could not be claimed. */
const redeliverMs = 5_000;
/** A message is dropped after this many deliveries. The relay then sends its job again. */
const maxDeliveries = 100;
const maxPrefetch = 65_535;

/** The connection and channel for sending. */
interface Sender {
  readonly connection: ChannelModel;
  readonly channel: ConfirmChannel;
  /** Ids of messages that RabbitMQ could not route to a queue. */
  readonly returned: Set<string>;
}

/** The number of times that a message was rejected. */
const timesRejected = ({ properties }: ConsumeMessage): number =>
  properties.headers?.['x-death']?.find(({ reason }) => reason === 'rejected')?.count ?? 0;

/**
 * References in RabbitMQ, with two queues for each lane: one for messages and one for waiting messages. @throws RangeError for an
 * invalid url
 */
export function rabbitmqQueue(options: RabbitmqQueueOptions): JobQueue {
  checkOptions<RabbitmqQueueOptions>('rabbitmqQueue', options, {
    url: 'required',
    prefix: 'optional',
    queueType: 'optional',
  });
  const { url, prefix = 'postrider-', queueType = 'classic' } = options;
  const nameOf = (lane: Lane): string => `${prefix}${lane}`;
  checkConnectionUrl('rabbitmqQueue: url', url, 'amqp://user:password@host:5672/vhost');
  let sending: Promise<Sender> | undefined;

  async function openConnection(): Promise<ChannelModel> {
    const connection = await connect(url, { timeout: connectMs, clientProperties: { connection_name: 'postrider' } });
    // A fault also ends the channels, whose owners report it.
    connection.on('error', () => undefined);
    return connection;
  }

  /** Declares the two queues of a lane. A rejected message goes to the waiting queue, and returns from there after `redeliverMs`. */
  async function assertLane(channel: Channel, lane: Lane): Promise<void> {
    const [name, waitingQueue] = [nameOf(lane), `${nameOf(lane)}-again`];
    const backTo = (queue: string) => ({ deadLetterExchange: '', deadLetterRoutingKey: queue });
    const type = { 'x-queue-type': queueType };
    await channel.assertQueue(waitingQueue, { messageTtl: redeliverMs, ...backTo(name), arguments: type });
    await channel.assertQueue(name, { ...backTo(waitingQueue), arguments: type });
  }

  async function openSender(): Promise<Sender> {
    const connection = await openConnection();
    try {
      const channel = await connection.createConfirmChannel();
      const returned = new Set<string>();
      channel.on('error', () => undefined);
      channel.on('close', () => {
        sending = undefined;
        connection.close().catch(() => undefined);
      });
      channel.on('return', ({ properties }) => returned.add(String(properties.messageId)));
      for (const lane of lanes) await assertLane(channel, lane);
      return { connection, channel, returned };
    } catch (error) {
      await connection.close().catch(() => undefined);
      throw error;
    }
  }

  const sender = (): Promise<Sender> => {
    sending ??= openSender().catch((error: unknown) => {
      sending = undefined;
      throw error;
    });
    return sending;
  };

  /** Sends a message. Returns the reason if RabbitMQ has not stored it; otherwise undefined. */
  function sendOne({ channel, returned }: Sender, message: OutgoingReference): Promise<string | undefined> {
    const messageId = message.jobId;
    return new Promise((resolve) => {
      const options = { persistent: true, mandatory: true, messageId };
      channel.sendToQueue(nameOf(message.lane), Buffer.from(encodeReference(message)), options, (error: unknown) => {
        // A message that cannot be routed is returned before it is confirmed.
        if (returned.delete(messageId)) resolve(`RabbitMQ has no queue ${nameOf(message.lane)}.`);
        else resolve(error === null || error === undefined ? undefined : reasonOf(error));
      });
    });
  }

  /** Receives over one connection until it ends or `stopping` is aborted. Then waits for running handlers. */
  async function receive(handler: ReferenceHandler, options: ConsumeOptions, stopping: AbortSignal): Promise<void> {
    const connection = await openConnection();
    const running = new Set<Promise<void>>();
    const connectionEnded = new AbortController();
    connection.once('close', () => connectionEnded.abort());
    const channels: { readonly channel: Channel; readonly consumerTag: string }[] = [];

    const run = async (channel: Channel, message: ConsumeMessage): Promise<void> => {
      let isDone = true;
      try {
        await handler(decodeReference(message.content.toString()));
      } catch (error) {
        options.onError(error);
        isDone = timesRejected(message) + 1 >= maxDeliveries;
      }
      // RabbitMQ redelivers messages of an ended channel itself.
      if (connectionEnded.signal.aborted) return;
      if (isDone) channel.ack(message);
      else channel.reject(message, false);
    };

    try {
      for (const lane of lanes) {
        const channel = await connection.createChannel();
        channel.on('error', options.onError);
        channel.once('close', () => connectionEnded.abort());
        await assertLane(channel, lane);
        await channel.prefetch(Math.min(maxPrefetch, Math.max(1, options.maxPrefetch(lane))));
        const { consumerTag } = await channel.consume(nameOf(lane), (message) => {
          // A null message means that the queue was deleted.
          if (message === null) return connectionEnded.abort();
          if (stopping.aborted) return channel.reject(message, true);
          const work = run(channel, message).finally(() => running.delete(work));
          running.add(work);
        });
        channels.push({ channel, consumerTag });
      }
      const stopped = AbortSignal.any([stopping, connectionEnded.signal]);
      if (!stopped.aborted) await new Promise((resolve) => stopped.addEventListener('abort', resolve, { once: true }));
      if (stopping.aborted && !connectionEnded.signal.aborted)
        for (const { channel, consumerTag } of channels) await channel.cancel(consumerTag);
    } finally {
      await Promise.all(running);
      // RabbitMQ confirms the closing of a channel after it has processed the channel's acknowledgements.
      for (const { channel } of channels) await channel.close().catch(() => undefined);
      await connection.close().catch(() => undefined);
    }
    if (!stopping.aborted) throw new Error('The connection to RabbitMQ was closed.');
  }

  return {
    id: 'rabbitmq',
    // RabbitMQ expires messages only at the head of a queue, so a message with a long delay would block those with short delays.
    maxDelayMs: 0,
    async send(messages) {
      const readySender = await sender();
      const timedOut = new AbortController();
      const timeout = pause(confirmMs, undefined, { signal: timedOut.signal }).then(
        async () => {
          sending = undefined;
          readySender.connection.close().catch(() => undefined);
          throw new Error(`RabbitMQ confirmed nothing for ${confirmMs} ms.`);
        },
        () => [],
      );
      try {
        const allStored = Promise.all(messages.map((message) => sendOne(readySender, message)));
        const reasons = await Promise.race([allStored, timeout]);
        return messages.flatMap(({ jobId }, index) => {
          const reason = reasons[index];
          return reason === undefined ? [] : [{ jobId, reason }];
        });
      } finally {
        timedOut.abort();
      }
    },
    async consume(handler, options) {
      const stopping = new AbortController();
      const receiving = (async () => {
        while (!stopping.signal.aborted) {
          try {
            await receive(handler, options, stopping.signal);
          } catch (error) {
            if (stopping.signal.aborted) return;
            options.onError(error);
            await pause(reconnectMs, undefined, { signal: stopping.signal }).catch(() => undefined);
          }
        }
      })();
      return {
        async stop() {
          stopping.abort();
          await receiving;
        },
      };
    },
    async check() {
      await (await sender()).channel.checkQueue(nameOf('normal'));
    },
    async close() {
      const currentSender = await sending?.catch(() => undefined);
      sending = undefined;
      await currentSender?.connection.close().catch(() => undefined);
    },
  };
}
