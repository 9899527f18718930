// The events that Lambda passes to a function, as far as the host reads them, and how they are distinguished. Shapes as in AWS's
// documentation: docs.aws.amazon.com/lambda/latest/dg/lambda-services.html. Used by the files of this host.
import { checkForm } from './event-forms.ts';

type Texts = Readonly<Record<string, string | null | undefined>>;
type Lists = Readonly<Record<string, readonly string[] | null | undefined>>;

/** API Gateway, format 1.0: REST APIs, and HTTP APIs that use this format. */
export interface GatewayEventV1 {
  readonly version?: string;
  readonly httpMethod: string;
  readonly path: string;
  readonly headers: Texts | null;
  readonly multiValueHeaders: Lists | null;
  readonly queryStringParameters: Texts | null;
  readonly multiValueQueryStringParameters: Lists | null;
  readonly body: string | null;
  readonly isBase64Encoded: boolean;
  readonly requestContext: {
    readonly stage: string;
    readonly domainName?: string;
    readonly identity: { readonly sourceIp: string };
  };
}

/** API Gateway, format 2.0: HTTP APIs and function URLs. */
export interface GatewayEventV2 {
  readonly version: '2.0';
  readonly rawPath: string;
  readonly rawQueryString?: string | null;
  readonly cookies?: readonly string[] | null;
  readonly headers?: Texts | null;
  readonly body?: string | null;
  readonly isBase64Encoded: boolean;
  readonly requestContext: {
    readonly stage?: string | null;
    readonly domainName?: string | null;
    readonly http: { readonly method: string; readonly sourceIp?: string | null };
  };
}

/** An Application Load Balancer. With multi-value headers, both headers and query are lists. */
export interface BalancerEvent {
  readonly httpMethod: string;
  readonly path: string;
  readonly headers?: Texts;
  readonly multiValueHeaders?: Lists;
  readonly queryStringParameters?: Texts;
  readonly multiValueQueryStringParameters?: Lists;
  readonly body: string | null;
  readonly isBase64Encoded: boolean;
  readonly requestContext: { readonly elb: { readonly targetGroupArn: string } };
}

/** A message of an SQS queue. */
export interface SqsRecord {
  readonly eventSource: 'aws:sqs';
  readonly messageId: string;
  readonly body: string;
  readonly eventSourceARN: string;
  readonly attributes: Texts;
}

/** A message of an SNS topic. */
export interface SnsRecord {
  readonly EventSource: 'aws:sns';
  readonly Sns: Readonly<Record<string, unknown>> & { readonly TopicArn: string; readonly MessageId: string };
}

/** An event with its source. */
export type LambdaEvent =
  | { readonly kind: 'gateway 1'; readonly event: GatewayEventV1 }
  | { readonly kind: 'gateway 2'; readonly event: GatewayEventV2 }
  | { readonly kind: 'balancer'; readonly event: BalancerEvent }
  | { readonly kind: 'sqs'; readonly records: readonly SqsRecord[] }
  | { readonly kind: 'sns'; readonly records: readonly SnsRecord[] }
  | { readonly kind: 'schedule' }
  | { readonly kind: 'action'; readonly action: string }
  | { readonly kind: 'unknown' };

/** An event with an HTTP response. */
export type HttpLambdaEvent = Extract<LambdaEvent, { readonly kind: 'gateway 1' | 'gateway 2' | 'balancer' }>;

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

function kindOfRequest(event: Fields): LambdaEvent | undefined {
  const context = fieldsOf(event['requestContext']);
  if (isFields(context['elb'])) return { kind: 'balancer', event: event as unknown as BalancerEvent };
  if (event['version'] === '2.0' && isFields(context['http']))
    return { kind: 'gateway 2', event: event as unknown as GatewayEventV2 };
  if (typeof event['httpMethod'] === 'string' && isFields(context['identity']))
    return { kind: 'gateway 1', event: event as unknown as GatewayEventV1 };
  return undefined;
}

function kindOfRecords(records: unknown): LambdaEvent | undefined {
  if (!Array.isArray(records) || records.length === 0) return undefined;
  const of = (name: string, value: string) => records.every((record) => fieldsOf(record)[name] === value);
  if (of('eventSource', 'aws:sqs')) return { kind: 'sqs', records: records as readonly SqsRecord[] };
  if (of('EventSource', 'aws:sns')) return { kind: 'sns', records: records as readonly SnsRecord[] };
  return undefined;
}

/** Recognises an event by its form. @throws LambdaHostError if the event lacks a part */
export function readEvent(value: unknown): LambdaEvent {
  const event = fieldsOf(value);
  const parsed = kindOfRequest(event) ?? kindOfRecords(event['Records']);
  if (parsed !== undefined) {
    if (parsed.kind === 'sqs' || parsed.kind === 'sns') checkForm(parsed.kind, parsed.records);
    else if (parsed.kind === 'gateway 1' || parsed.kind === 'gateway 2' || parsed.kind === 'balancer')
      checkForm(parsed.kind, parsed.event);
    return parsed;
  }
  if (event['source'] === 'aws.events' || event['detail-type'] === 'Scheduled Event') return { kind: 'schedule' };
  return typeof event['action'] === 'string' ? { kind: 'action', action: event['action'] } : { kind: 'unknown' };
}
