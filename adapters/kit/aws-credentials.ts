// The key and the region of adapters for AWS services: the given values, else those of the environment. Called by the adapters of
// SQS, SES and S3.
import type { AwsCredentials } from './aws-signature.ts';

/** The option `credentials`: the key, or a function that returns the current key. */
export type AwsCredentialsOption = AwsCredentials | (() => AwsCredentials | Promise<AwsCredentials>);

function environmentKey(adapter: string): AwsCredentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (AWS_ACCESS_KEY_ID === undefined || AWS_SECRET_ACCESS_KEY === undefined)
    throw new Error(
      `${adapter} has no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the option credentials.`,
    );
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN === undefined ? {} : { sessionToken: AWS_SESSION_TOKEN }),
  };
}

/**
 * Returns the current key. If no key is given, the key of the environment is read at each call, because it may change: Lambda
 * puts the key of its role there.
 * @throws Error at the call if no key is given and the environment has none
 */
export const awsCredentials =
  (adapter: string, option: AwsCredentialsOption | undefined): (() => Promise<AwsCredentials>) =>
  async () => {
    if (option === undefined) return environmentKey(adapter);
    return typeof option === 'function' ? option() : option;
  };

/** The given region, or AWS_REGION, which Lambda sets. @throws TypeError if there is neither, or if the name is invalid */
export function awsRegion(adapter: string, input: string | undefined): string {
  const region = input ?? process.env['AWS_REGION'];
  if (region === undefined)
    throw new TypeError(`${adapter}: \`region\` is missing, and the environment has no AWS_REGION.`);
  if (!/^[a-z0-9-]{1,40}$/.test(region))
    throw new TypeError(`${adapter}: \`region\` is not a name of a region, such as eu-west-1.`);
  return region;
}
