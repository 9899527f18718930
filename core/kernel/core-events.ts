// The events that the core declares: deprecations and changelog entries (announcements.ts emits them), and budgets that
// are nearly or wholly used up (jobs/budget-reached.ts).

import { defineEvent, type EventDeclaration } from '../contract/declaration/events.ts';
import * as z from '../contract/schemas/zod.ts';

const notice = {
  since: z.string().describe('The date from which it is deprecated.'),
  sunset: z.string().describe('The date on which it ends.'),
  link: z.string().describe('The address of the notice.'),
  message: z.string().describe('The notice as a sentence.'),
};

const deprecation = defineEvent({
  type: 'api.deprecation',
  description:
    'An operation or a field is deprecated. Each workspace gets one event for each, as soon as it has a subscription.',
  data: z.union([
    z.object({ operation: z.string().describe('Its operationId in the OpenAPI document.'), ...notice }),
    z.object({
      field: z
        .string()
        .describe('The object and the field, or the operationId, the part of the request and the field.'),
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
  description: 'An entry was added to the changelog of the API.',
  data: z.object({
    title: z.string(),
    date: z.string().describe('As YYYY-MM-DD.'),
    link: z.string().nullable().describe('A page with details.'),
    changes: z.array(z.string()).describe('The changes, one sentence each.'),
  }),
  example: {
    title: 'Webhooks say why they were retried',
    date: '2026-11-20',
    link: 'https://app.example.com/changelog#webhooks',
    changes: ['Attempts of a delivery contain an excerpt of the response.'],
  },
});

const budgetReached = defineEvent({
  type: 'budget.reached',
  description:
    'The workspace has used 80 or 100 percent of a monthly budget. The event is sent once a month for each percentage, for the live side only: sandbox calls do not count.',
  data: z.object({
    budget: z.string().describe('credits, or the name that a plugin gave its budget, such as sends.'),
    percent: z.union([z.literal(80), z.literal(100)]),
    used: z.number().describe('The used amount at the time of the event.'),
    limit: z.number().describe('The monthly limit of the plan or of the workspace.'),
    month: z.string().describe('As YYYY-MM, in UTC.'),
  }),
  example: { budget: 'sends', percent: 80, used: 2_400, limit: 3_000, month: '2026-11' },
});

declare module '../contract/open.ts' {
  interface EventMap {
    'api.deprecation': z.output<typeof deprecation.data>;
    'api.changelog.published': z.output<typeof changelogPublished.data>;
    'budget.reached': z.output<typeof budgetReached.data>;
  }
}

export const coreEvents: readonly EventDeclaration[] = [deprecation, changelogPublished, budgetReached];
