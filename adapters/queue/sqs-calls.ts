// Requests to SQS in its JSON protocol: signed, with a time limit. Called by sqs.ts only.
// docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-making-api-requests-json.html

import type { Agent } from 'undici';
import { parseUrl } from '../../core/contract/values/parse-url.ts';
import { type AwsCredentialsOption, awsCredentials, awsRegion } from '../kit/aws-credentials.ts';
import { signAwsRequest } from '../kit/aws-signature.ts';
import { openHttpAgent } from '../kit/http-agent.ts';

/** The response to a batch: its failed entries. */
export interface SqsEntryResult {
  readonly Failed?: readonly { readonly Id: string; readonly Code?: string; readonly Message?: string }[];
}

/** The target of the requests. */
export interface SqsConnection {
  readonly urls: readonly string[];
  readonly region: string | undefined;
  readonly credentials: AwsCredentialsOption | undefined;
  readonly timeoutMs: number;
}

/** Limits of one request. */
interface CallLimits {
  readonly signal?: AbortSignal;
  /** Milliseconds in addition to the time limit. */
  readonly extraMs?: number;
}

/** The requests of one adapter. */
export interface SqsCalls {
  /** @throws if SQS cannot be reached or refuses the request */
  call<T>(action: string, queueUrl: string, input: object, limits?: CallLimits): Promise<T>;
  close(): Promise<void>;
}

function checkUrl(url: string): void {
  if (!/^https?:$/.test(parseUrl(url)?.protocol ?? ''))
    throw new TypeError(
      'sqsQueue: `url` is not the URL of a queue, such as https://sqs.eu-central-1.amazonaws.com/123456789012/jobs.',
    );
}

const regionIn = (url: string): string | undefined => /^sqs\.([a-z0-9-]+)\.amazonaws\.com/.exec(new URL(url).host)?.[1];

/** The kind of an error, without the namespace (`com.amazonaws.sqs#QueueDoesNotExist`), and AWS's message. */
function faultIn(text: string): { readonly kind: string; readonly message: string } {
  try {
    const { __type: kind, message, Message = message } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return {
      kind: typeof kind === 'string' ? (/([A-Za-z.]{1,80})$/.exec(kind)?.[1] ?? '') : '',
      message: typeof Message === 'string' ? Message.slice(0, 300) : '',
    };
  } catch {
    return { kind: '', message: '' };
  }
}

/** @throws TypeError if a URL or the region is invalid */
export function createSqsCalls({ urls, region: configuredRegion, credentials, timeoutMs }: SqsConnection): SqsCalls {
  for (const url of urls) checkUrl(url);
  const region = awsRegion(
    'sqsQueue',
    configuredRegion ?? urls.map(regionIn).find((urlRegion) => urlRegion !== undefined),
  );
  const currentKey = awsCredentials('sqsQueue', credentials);
  let agent: Promise<Agent> | undefined;
  return {
    async call<T>(action: string, queueUrl: string, input: object, { signal, extraMs: longerMs = 0 }: CallLimits = {}) {
      const body = JSON.stringify({ QueueUrl: queueUrl, ...input });
      const url = `${new URL(queueUrl).origin}/`;
      const headers = signAwsRequest(
        {
          method: 'POST',
          url,
          headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${action}` },
          body,
          region,
          service: 'sqs',
          now: Date.now(),
        },
        await currentKey(),
      );
      const timeout = AbortSignal.timeout(timeoutMs + longerMs);
      agent ??= openHttpAgent({ connectTimeoutMs: timeoutMs });
      const answer = await (await agent).request({
        origin: new URL(url).origin,
        path: '/',
        method: 'POST',
        headers,
        body,
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) {
        const { kind, message } = faultIn(text);
        throw new Error(
          `SQS answered ${answer.statusCode} ${kind} to ${action}${message === '' ? '.' : `: ${message}`}`,
        );
      }
      return (text === '' ? {} : JSON.parse(text)) as T;
    },
    async close() {
      await (await agent)?.close();
      agent = undefined;
    },
  };
}
