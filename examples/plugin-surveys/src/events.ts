import { defineEvent, type EventDeclaration, z } from 'postrider';

// The event leaves out the comment, because it is the customer's own text. Receivers that need it can read the survey.
const surveyAnswered = defineEvent({
  type: 'survey.answered',
  description: 'A customer answered a survey.',
  data: z.object({ id: z.string(), score: z.int() }),
  example: { id: 'srv_01KQ1ZJ5T8V6W3X9Y2A4B7C8D9', score: 9 },
});

const surveyExpired = defineEvent({
  type: 'survey.expired',
  description: 'The time to answer a survey ended without an answer.',
  data: z.object({ id: z.string() }),
  example: { id: 'srv_01KQ1ZJ5T8V6W3X9Y2A4B7C8D9' },
});

declare module 'postrider/open' {
  interface EventMap {
    'survey.answered': z.output<typeof surveyAnswered.data>;
    'survey.expired': z.output<typeof surveyExpired.data>;
  }
}

export const events: readonly EventDeclaration[] = [surveyAnswered, surveyExpired];
