// Reads the service's variables from AWS Secrets Manager or from the parameter store. SECRET_ID or PARAMETER_NAME names the stored
// JSON object such as { "DATABASE_URL": "…", "POSTRIDER_KEY": "…" }. Called by function-with-secrets.ts, once in each instance.
import { awsCredentials, awsRegion } from 'postrider/adapters/kit/aws-credentials';
import { signAwsRequest } from 'postrider/adapters/kit/aws-signature';

/** A source of secrets, and its request. */
interface SecretSource {
  readonly service: 'secretsmanager' | 'ssm';
  readonly target: string;
  readonly input: object;
  /** The name of the secret and the required permission of the function's role, for messages. */
  readonly label: string;
}

function sourceFrom({ SECRET_ID, PARAMETER_NAME }: NodeJS.ProcessEnv): SecretSource | undefined {
  if (SECRET_ID)
    return {
      service: 'secretsmanager',
      target: 'secretsmanager.GetSecretValue',
      input: { SecretId: SECRET_ID },
      label: `The secret ${SECRET_ID} (permission secretsmanager:GetSecretValue)`,
    };
  if (!PARAMETER_NAME) return undefined;
  return {
    service: 'ssm',
    target: 'AmazonSSM.GetParameter',
    input: { Name: PARAMETER_NAME, WithDecryption: true },
    label: `The parameter ${PARAMETER_NAME} (permission ssm:GetParameter)`,
  };
}

/** The reason why AWS did not return the value, without AWS's own text, because that may contain more than the name. */
function describeRefusal(status: number, body: string, region: string): string {
  const type = /"__type"\s*:\s*"(?:[\w.]+#)?(\w+)"/.exec(body)?.[1] ?? '';
  if (/NotFound/.test(type)) return `is not in ${region}.`;
  if (/AccessDenied/.test(type))
    return "may not be read: give the function's role that permission on it, and kms:Decrypt if it is encrypted with your own key.";
  return `was answered ${status} ${type}`.trimEnd().concat('.');
}

/** Both services accept JSON by POST, signed with the key of the function's role. */
async function requestSecret({ service, target, input, label }: SecretSource, timeoutMs: number): Promise<string> {
  const region = awsRegion(service, undefined);
  // AWS's own clients read their endpoint from these variables, too.
  const endpointVariable = service === 'ssm' ? 'AWS_ENDPOINT_URL_SSM' : 'AWS_ENDPOINT_URL_SECRETS_MANAGER';
  const url = `${process.env[endpointVariable] ?? `https://${service}.${region}.amazonaws.com`}/`;
  const body = JSON.stringify(input);
  const unsignedHeaders = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target };
  const headers = signAwsRequest(
    { method: 'POST', url, headers: unsignedHeaders, body, region, service, now: Date.now() },
    await awsCredentials(service, undefined)(),
  );
  const signal = AbortSignal.timeout(timeoutMs);
  const pendingAnswer = fetch(url, { method: 'POST', headers, body, signal }).then(async (answer) => ({
    status: answer.status,
    text: await answer.text(),
  }));
  const { status, text } = await pendingAnswer.catch((cause: unknown) => {
    const reason = signal.aborted
      ? `was not answered within ${timeoutMs / 1_000} s`
      : `cannot be requested from ${url}`;
    throw new Error(`${label} ${reason}: in a VPC the function needs network access to ${service}.`, { cause });
  });
  if (status !== 200) throw new Error(`${label} ${describeRefusal(status, text, region)}`);
  return text;
}

/** The variables in an answer. A parser's error is not rethrown, because it would quote the variables. */
function parseVariables(text: string, label: string): object {
  try {
    const { SecretString, Parameter } = JSON.parse(text) as { SecretString?: string; Parameter?: { Value: string } };
    const variables: unknown = JSON.parse(SecretString ?? Parameter?.Value ?? '');
    if (typeof variables === 'object' && variables !== null && !Array.isArray(variables)) return variables;
  } catch {
    // The error is thrown below.
  }
  throw new Error(`${label} does not contain a JSON object of variables, such as { "DATABASE_URL": "…" }.`);
}

/** Puts the variables into the environment, from which the service reads them. */
export async function readSecrets(timeoutMs = 5_000): Promise<void> {
  const source = sourceFrom(process.env);
  if (source === undefined) return;
  Object.assign(process.env, parseVariables(await requestSecret(source, timeoutMs), source.label));
}
