// Events of the API itself, declared by the core: deprecations and changelog entries. announcements.ts emits them.
import { z } from 'zod';
import type { EventDeclaration } from '../contract/events.ts';
import { defineEvent } from '../contract/events.ts';

const notice = {
  since: z.string().describe('The date since when it is deprecated.'),
  sunset: z.string().describe('The date on which it ends.'),
  link: z.string().describe('Where the notice is.'),
  message: z.string().describe('The same as a sentence.'),
};

const deprecation = defineEvent({
  type: 'api.deprecation',
  description:
    'An operation or a field is deprecated. Each workspace is told once of each, as soon as it has somebody who listens.',
  data: z.union([
    z.object({ operation: z.string().describe('Its operationId in the OpenAPI document.'), ...notice }),
    z.object({
      field: z.string().describe('The object and the field, or the operationId, the place and the field.'),
      ...notice,
    }),
  ]),
  example: {
    operation: 'notes.read_legacy',
    since: '2026-11-20',
    sunset: '2027-06-01',
    link: 'https://app.example.com/changelog#notes',
    message:
      'The operation notes.read_legacy (GET /v1/notes/{key}/legacy) is deprecated since 2026-11-20 and ends on 2027-06-01. See https://app.example.com/changelog#notes.',
  },
});

const changelogPublished = defineEvent({
  type: 'api.changelog.published',
  description: 'An entry of the changelog of the API was published.',
  data: z.object({
    title: z.string(),
    date: z.string().describe('As YYYY-MM-DD.'),
    link: z.string().nullable().describe('Where more is said.'),
    changes: z.array(z.string()).describe('A sentence each.'),
  }),
  example: {
    title: 'Webhooks say why they were tried again',
    date: '2026-11-20',
    link: 'https://app.example.com/changelog#webhooks',
    changes: ['Attempts of a delivery carry an excerpt of the answer.'],
  },
});

declare module '../contract/open.ts' {
  interface EventMap {
    'api.deprecation': z.output<typeof deprecation.data>;
    'api.changelog.published': z.output<typeof changelogPublished.data>;
  }
}

export const coreEvents: readonly EventDeclaration[] = [deprecation, changelogPublished];
