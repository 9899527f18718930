// Mail over the API v2 of Amazon SES, as a whole MIME message
// (docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html). Composed by the embedding program; exported by ses.ts.
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import { type MailAdapter, MailError } from '../../plugins/email/port/index.ts';
import { type AwsCredentialsOption, awsCredentials, awsRegion } from '../kit/aws-credentials.ts';
import { type AwsCredentials, signAwsRequest } from '../kit/aws-signature.ts';
import { apiUrl, httpMail, type MailProviderResponse, type ProviderRefusal } from '../kit/http-mail.ts';
import { base64Of } from '../kit/json-mail.ts';
import { wireMailbox } from '../kit/mail-fields.ts';
import { mimeSource } from '../kit/mime-source.ts';
import { textOf } from '../kit/report-fields.ts';

/** A key with the permission ses:SendEmail (ses:SendRawEmail in policies). */
export type SesCredentials = AwsCredentials;

/** Options of `sesMail`. */
export interface SesMailOptions {
  /** Such as eu-west-1. (Default: the variable AWS_REGION, which Lambda sets) */
  readonly region?: string;
  /**
   * The key, or a function that returns the current key of a role. The function is called for each message. (Default: the
   * variables AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, which Lambda sets)
   */
  readonly credentials?: AwsCredentialsOption;
  /** (Default: the configuration set of the sender's identity) */
  readonly configurationSet?: string;
  /**
   * Whether SES forwards bounces to the return paths of the option `bounces` of `emailPlugin`. Their domain must be an identity
   * that is verified in SES. (Default: false)
   */
  readonly returnPaths?: boolean;
  /** (Default: https://email.REGION.amazonaws.com) */
  readonly url?: string;
  /** The time limit of one send, in milliseconds. (Default: 30,000) */
  readonly timeoutMs?: number;
  /** The current time, in milliseconds since the epoch. (Default: the system's clock) */
  readonly now?: () => number;
}

/** Errors whose meaning differs from their status, which is usually 400. */
const refusals: Readonly<Record<string, ProviderRefusal>> = {
  TooManyRequestsException: 'busy',
  ThrottlingException: 'busy',
  Throttling: 'busy',
  LimitExceededException: 'busy',
  SendingPausedException: 'busy',
  ExpiredTokenException: 'busy',
  RequestExpired: 'busy',
  AccountSuspendedException: 'service',
  MailFromDomainNotVerifiedException: 'sender',
  NotFoundException: 'service',
  IncompleteSignature: 'service',
  UnrecognizedClientException: 'credentials',
  InvalidClientTokenId: 'credentials',
  InvalidSignatureException: 'credentials',
  SignatureDoesNotMatch: 'credentials',
};

/** Reads the error's name in `x-amzn-errortype`, before the `:` and the URL that may follow. */
function refusalOf({ headers, fields }: MailProviderResponse, message: string): ProviderRefusal | undefined {
  const [name = ''] = (headers['x-amzn-errortype'] ?? textOf(fields['__type']).replace(/^.*#/, '')).split(':');
  // The error for an account in the sandbox, and for an identity that is not set up.
  if (name === 'MessageRejected' && /\bnot verified\b/i.test(message)) return 'sender';
  return Object.hasOwn(refusals, name) ? refusals[name] : undefined;
}

const secretsOf = (key: SesCredentials): string[] => [key.secretAccessKey, key.sessionToken ?? '', key.accessKeyId];

/** Milliseconds that the program's function may take to return credentials. */
const credentialsMs = 10_000;

const rejectionAfter = (milliseconds: number): Promise<never> =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`No answer in ${milliseconds} ms.`)), milliseconds).unref();
  });

/** Sends through Amazon SES. SES does not suppress repeats. @throws TypeError for invalid options */
export function sesMail(options: SesMailOptions = {}): MailAdapter {
  checkOptions<SesMailOptions>('sesMail', options, {
    region: 'optional',
    credentials: 'optional',
    configurationSet: 'optional',
    returnPaths: 'optional',
    url: 'optional',
    timeoutMs: 'optional',
    now: 'optional',
  });
  const { configurationSet, returnPaths = false, timeoutMs, now = Date.now } = options;
  const region = awsRegion('sesMail', options.region);
  const readKey = awsCredentials('sesMail', options.credentials);
  if (!/^[a-z]{2}(?:-[a-z]+)+-\d$/.test(region))
    throw new TypeError('sesMail: `region` must be a region of AWS, such as eu-west-1.');
  const base = apiUrl(options.url ?? `https://email.${region}.amazonaws.com`, 'sesMail');
  const url = `${base}/v2/email/outbound-emails`;

  async function currentKey(): Promise<SesCredentials> {
    try {
      return await Promise.race([readKey(), rejectionAfter(credentialsMs)]);
    } catch (cause) {
      throw new MailError('transient', 'The credentials of SES cannot be read.', { cause, unavailable: true });
    }
  }

  return httpMail({
    id: 'ses',
    timeoutMs,
    secrets: [],
    async request(mail) {
      const key = await currentKey();
      const body = JSON.stringify({
        Destination: { ToAddresses: [wireMailbox(mail.to, 'recipient').address] },
        Content: { Raw: { Data: base64Of(await mimeSource(mail)) } },
        ...(returnPaths && mail.returnPath !== undefined ? { FeedbackForwardingEmailAddress: mail.returnPath } : {}),
        ...(configurationSet === undefined ? {} : { ConfigurationSetName: configurationSet }),
      });
      const request = { method: 'POST', url, body, region, service: 'ses', now: now() };
      const headers = signAwsRequest({ ...request, headers: { 'content-type': 'application/json' } }, key);
      return { url, headers, body, secrets: secretsOf(key) };
    },
    // docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetAccount.html
    async check() {
      const key = await currentKey();
      const account = `${base}/v2/email/account`;
      const request = { method: 'GET', url: account, body: '', region, service: 'ses', now: now(), headers: {} };
      return { method: 'GET', url: account, headers: signAwsRequest(request, key), secrets: secretsOf(key) };
    },
    // A key that may only send is refused this request, but only after its signature was verified.
    passes: ({ headers }) => /^AccessDenied/.test(headers['x-amzn-errortype'] ?? ''),
    receipt: ({ fields }) => textOf(fields['MessageId']),
    errorMessage: (fields) => textOf(fields['message']) || textOf(fields['Message']),
    refusal: refusalOf,
  });
}
