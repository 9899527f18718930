import { defineErrors } from '../../core/index.ts';

export const errors = defineErrors({
  sequence_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no sequence with this key or id. GET /v1/sequences lists the published ones.',
    message: (details: { id: string }) =>
      `There is no sequence ${details.id}. GET /v1/sequences lists the published ones, GET /v1/sequences?status=draft the drafts.`,
  },
  run_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no run with this id on the side of the key.',
    message: (details: { id: string }) =>
      `There is no run ${details.id}. GET /v1/sequences/{keyOrId}/runs lists the runs of a sequence.`,
  },
  enrollment_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The sequence has no list enrolment with this id on the side of the key.',
    message: (details: { id: string }) => `There is no enrolment ${details.id} of this sequence.`,
  },
  sequence_invalid: {
    status: 422,
    type: 'validation_error',
    description: 'The sequence cannot be published as it is; there is one detail for each fault, with its node.',
    message: (details: { key: string; faults: number; first: string }) =>
      details.faults === 1
        ? `The sequence ${details.key} has a fault: ${details.first}`
        : `The sequence ${details.key} has ${details.faults} faults. The first: ${details.first}`,
  },
  sequence_not_published: {
    status: 409,
    type: 'conflict_error',
    description:
      'The sequence does not accept contacts: it is a draft, paused or archived. Publish or resume it first.',
    message: (details: { key: string; status: string; waits?: string }) =>
      details.waits !== undefined
        ? `The sequence ${details.key} ${details.waits}`
        : details.status === 'draft'
          ? `The sequence ${details.key} is a draft: publish it first, with POST /v1/sequences/${details.key}/publish. With a sandbox key a draft can be tried.`
          : `The sequence ${details.key} is ${details.status} and does not accept contacts.${details.status === 'paused' ? ` Resume it first, with POST /v1/sequences/${details.key}/resume.` : ''}`,
  },
});
