// Publishes on a network under test, for tests beyond the shared suite.
import {
  isSocialError,
  type PublishedPost,
  type SocialError,
  type SocialTarget,
} from '../../../plugins/social/port/index.ts';
import {
  type RecordedStepMap,
  recordedSteps,
  type SocialSuiteTarget,
  sampleTarget,
} from '../../../plugins/social/testing/index.ts';

export const callOptions = () => ({ signal: AbortSignal.timeout(60_000), now: Date.now() });

/** The adapter of a subject. */
export function adapterOf({ network, credentials, options = {}, outgoing }: SocialSuiteTarget) {
  if (outgoing === undefined) throw new Error('The subject has no server.');
  const opened = { credentials: network.credentials.parse(credentials), options: network.options.parse(options) };
  return network.connect(opened, { outgoing });
}

/** A post to the first account. */
export async function targetOf(
  subject: SocialSuiteTarget,
  overrides: Partial<SocialTarget> = {},
): Promise<SocialTarget> {
  const [account] = await adapterOf(subject).accounts(callOptions());
  return sampleTarget({ externalAccountId: account?.externalId ?? '', ...overrides });
}

/** Publishes once. */
export const publishOn = (
  subject: SocialSuiteTarget,
  target: SocialTarget,
  record: RecordedStepMap = new Map(),
): Promise<PublishedPost> => adapterOf(subject).publish(target, recordedSteps(record), callOptions());

/** The error that `work` ends with. */
export async function errorOf(work: Promise<unknown>): Promise<SocialError> {
  try {
    await work;
  } catch (error) {
    if (isSocialError(error)) return error;
    throw error;
  }
  throw new Error('The network accepted the post.');
}

/** The result of refreshing the subject's expiring credentials with its provider. */
export async function refreshCredentials({ network, credentials, outgoing }: SocialSuiteTarget): Promise<unknown> {
  if (outgoing === undefined) throw new Error('The subject has no server.');
  const opened = { credentials: network.credentials.parse(credentials), options: {} };
  return network.refresh?.(opened, AbortSignal.timeout(15_000), { outgoing });
}
