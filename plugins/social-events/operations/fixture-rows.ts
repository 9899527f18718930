// Request bodies and rows that fixtures need.
import type { FixtureKit } from '../../../core/index.ts';

export const release = {
  eventKey: 'release_published',
  variables: { product: 'Acme Studio', version: '4.2', summary: 'Boards now load in under a second.' },
};

/** A draft on the last composed channel. Its account is missing, which is allowed for a draft. */
export const someTrigger = ({ services, unique }: FixtureKit) => ({
  ...release,
  channels: services.socialChannels.ids.slice(-1),
  dedupeKey: unique('release'),
});

/** Accounts and assets of another workspace, as fields of a trigger. */
export async function foreignAttachments(kit: FixtureKit) {
  const announced = { name: 'Theirs', contentType: 'image/png', bytes: 100 };
  const { assetId } = await kit.call('assets.create', announced, kit.foreignWorkspaceId);
  return { media: [{ kind: 'image', assetId }] };
}

/** The id of a run. */
export async function someRun(kit: FixtureKit, workspaceId: string): Promise<string> {
  const { runId } = await kit.call('social_events.trigger', someTrigger(kit), workspaceId);
  return String(runId);
}

export const unknownEvent = async () => ({ body: { ...release, eventKey: 'release_publised' } });
export const badVariables = async () => ({ body: { ...release, variables: { product: 'Acme Studio' } } });

/** Why no test uses the eventKey of another workspace. */
export const builtIn = 'skipped: the events come with the service';

/** The tests that cover errors which fixtures cannot raise. */
export const testedElsewhere = {
  here: 'unreachable here: shown in test/plugins/social-events.test.ts',
  held: 'unreachable here: shown in test/plugins/social-posts-approvals.test.ts',
  fields: 'unreachable here: shown in test/plugins/social-posts.test.ts',
} as const;
