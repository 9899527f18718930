// Publishes on a network under test, for tests beyond the shared suite.
import {
  isSocialError,
  type PublishedPost,
  type SocialError,
  type SocialTarget,
} from '../../../plugins/social/port/index.ts';
import {
  recordedSteps,
  type SocialSuiteSubject,
  type StepRecord,
  sampleTarget,
} from '../../../plugins/social/testing/index.ts';

export const callOptions = () => ({ signal: AbortSignal.timeout(60_000), now: Date.now() });

/** The adapter of a subject. */
export function adapterOf({ network, credentials, options = {}, outgoing }: SocialSuiteSubject) {
  if (outgoing === undefined) throw new Error('The subject has a server.');
  const opened = { credentials: network.credentials.parse(credentials), options: network.options.parse(options) };
  return network.connect(opened, { outgoing });
}

/** A post to the first account. */
export async function targetOf(subject: SocialSuiteSubject, given: Partial<SocialTarget> = {}): Promise<SocialTarget> {
  const [account] = await adapterOf(subject).accounts(callOptions());
  return sampleTarget({ externalAccountId: account?.externalId ?? '', ...given });
}

/** Publishes once. */
export const publishOn = (
  subject: SocialSuiteSubject,
  target: SocialTarget,
  record: StepRecord = new Map(),
): Promise<PublishedPost> => adapterOf(subject).publish(target, recordedSteps(record), callOptions());

/** The error that `work` ends with. */
export async function errorOf(work: Promise<unknown>): Promise<SocialError> {
  try {
    await work;
  } catch (error) {
    if (isSocialError(error)) return error;
    throw error;
  }
  throw new Error('The network took it.');
}

/** The result of refreshing the subject's expiring credentials with its provider. */
export async function refreshed({ network, credentials, outgoing }: SocialSuiteSubject): Promise<unknown> {
  if (outgoing === undefined) throw new Error('The subject has a server.');
  const opened = { credentials: network.credentials.parse(credentials), options: {} };
  return network.refresh?.(opened, AbortSignal.timeout(15_000), { outgoing });
}
