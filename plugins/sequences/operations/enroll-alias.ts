import { defineOperation, z } from '../../../core/index.ts';
import { enrollBody, enrollContact, enrollDeclaration } from '../enroll-contact.ts';
import { keyOrId } from '../schema.ts';
import { enrollFixture } from './enroll-fixture.ts';

export const enrollAlias = defineOperation({
  ...enrollDeclaration,
  id: 'sequences.enroll_alias',
  summary: 'Enrol a contact in a flow',
  description:
    'The same as POST /v1/sequences/{keyOrId}/enroll. For Idempotency-Key they are two endpoints: a key used there has no effect here.',
  http: 'POST /v1/flows/{flowKey}/enroll',
  input: { params: z.object({ flowKey: keyOrId }), body: enrollBody },
  fixture: (kit) => enrollFixture(kit, (key) => ({ flowKey: key })),
  handler: (ctx, { params, body }) => enrollContact(ctx, params.flowKey, body),
});
