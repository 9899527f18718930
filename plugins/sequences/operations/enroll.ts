import { defineOperation, z } from '../../../core/index.ts';
import { enrollBody, enrollContact, enrollDeclaration } from '../enroll-contact.ts';
import { keyOrId } from '../schema.ts';
import { enrollFixture } from './enroll-fixture.ts';

export const enroll = defineOperation({
  ...enrollDeclaration,
  id: 'sequences.enroll',
  summary: 'Enrol a contact in a sequence',
  description:
    'Begins a run of the published version. An unknown external_id or email creates a contact. If the settings allow no further run, the answer is the existing run, with alreadyEnrolled. A contact enters a sequence at most 20 times in 24 hours.',
  http: 'POST /v1/sequences/{keyOrId}/enroll',
  tool: 'enroll_in_sequence',
  input: { params: z.object({ keyOrId }), body: enrollBody },
  fixture: (kit) => enrollFixture(kit, (key) => ({ keyOrId: key })),
  handler: (ctx, { params, body }) => enrollContact(ctx, params.keyOrId, body),
});
