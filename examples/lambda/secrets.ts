// Reads variables of the service that are kept in AWS Secrets Manager or in the parameter store: SECRET_ID or PARAMETER_NAME names a
// JSON object such as { "DATABASE_URL": "…", "POSTRIDER_KEY": "…" }. Called by function-with-secrets.ts, once in each instance.
import { awsCredentials, awsRegion } from 'postrider/adapters/kit/aws-credentials';
import { signAwsRequest } from 'postrider/adapters/kit/aws-signature';

/** Both services take JSON by POST, signed with the key of the function's role. */
async function ask<Answer>(service: 'secretsmanager' | 'ssm', target: string, input: object): Promise<Answer> {
  const region = awsRegion(service, undefined);
  // The variables with which AWS's own clients are led to another endpoint.
  const ofService = service === 'ssm' ? 'AWS_ENDPOINT_URL_SSM' : 'AWS_ENDPOINT_URL_SECRETS_MANAGER';
  const url = `${process.env[ofService] ?? `https://${service}.${region}.amazonaws.com`}/`;
  const body = JSON.stringify(input);
  const named = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target };
  const headers = signAwsRequest(
    { method: 'POST', url, headers: named, body, region, service, now: Date.now() },
    await awsCredentials(service, undefined)(),
  );
  const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(5_000) });
  // What AWS says of a refusal names the role and the secret, and not its value.
  if (!answer.ok) throw new Error(`${target} was answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
  return (await answer.json()) as Answer;
}

async function readText(): Promise<string> {
  const { SECRET_ID, PARAMETER_NAME } = process.env;
  if (SECRET_ID) {
    const input = { SecretId: SECRET_ID };
    return (await ask<{ SecretString: string }>('secretsmanager', 'secretsmanager.GetSecretValue', input)).SecretString;
  }
  if (!PARAMETER_NAME) return '{}';
  const input = { Name: PARAMETER_NAME, WithDecryption: true };
  return (await ask<{ Parameter: { Value: string } }>('ssm', 'AmazonSSM.GetParameter', input)).Parameter.Value;
}

/** Puts them into the environment, where the service reads them when it is made. */
export async function readSecrets(): Promise<void> {
  Object.assign(process.env, JSON.parse(await readText()));
}
