// The forms of the events, as far as the host reads them. A handmade event without a required part is rejected with the name of
// the part; AWS's own events always pass. Called by events.ts.
import { z } from '../../core/index.ts';
import { LambdaHostError } from './errors.ts';

const texts = z.record(z.string(), z.string().nullish()).nullish();
const lists = z.record(z.string(), z.array(z.string()).nullish()).nullish();
const body = z.string().nullish();
const isBase64Encoded = z.boolean().nullish();

const gateway1 = z.looseObject({
  httpMethod: z.string(),
  path: z.string(),
  headers: texts,
  multiValueHeaders: lists,
  queryStringParameters: texts,
  multiValueQueryStringParameters: lists,
  body,
  isBase64Encoded,
  requestContext: z.looseObject({
    stage: z.string(),
    domainName: z.string().nullish(),
    identity: z.looseObject({ sourceIp: z.string() }),
  }),
});
const gateway2 = z.looseObject({
  rawPath: z.string(),
  rawQueryString: z.string().nullish(),
  cookies: z.array(z.string()).nullish(),
  headers: texts,
  body,
  isBase64Encoded,
  requestContext: z.looseObject({
    stage: z.string().nullish(),
    domainName: z.string().nullish(),
    http: z.looseObject({ method: z.string(), sourceIp: z.string().nullish() }),
  }),
});
const balancer = gateway1.extend({ requestContext: z.looseObject({ elb: z.looseObject({}) }) });
const sqs = z.array(z.looseObject({ messageId: z.string(), body: z.string(), eventSourceARN: z.string() }));
const sns = z.array(z.looseObject({ Sns: z.looseObject({ TopicArn: z.string(), MessageId: z.string() }) }));

const forms = {
  'gateway 1': { name: 'API Gateway, format 1.0', schema: gateway1 },
  'gateway 2': { name: 'API Gateway, format 2.0, or of a function URL', schema: gateway2 },
  balancer: { name: 'a load balancer', schema: balancer },
  sqs: { name: 'SQS', schema: sqs },
  sns: { name: 'SNS', schema: sns },
} as const;

/** @throws LambdaHostError with the first part that is missing or has the wrong type */
export function checkForm(kind: keyof typeof forms, value: unknown): void {
  const { name, schema } = forms[kind];
  const result = schema.safeParse(value);
  if (result.success) return;
  const [issue] = result.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw new LambdaHostError(
    'event_invalid',
    `This looks like an event of ${name}, but ${path === '' ? 'it' : path} is missing or of another type: ${issue?.message ?? ''}. Send the event as AWS documents it.`,
  );
}
