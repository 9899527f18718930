// The question that a test asks the program of docs/broadcasts.md: the report, and who got the mail. For questions.ts.

export const questionOfBroadcasts = {
  ask: `{ status: report.status, counts: [report.counts.audience, report.counts.accepted, report.counts.excluded.suppressed], got: mail.messages().map(({ to, subject }) => [to.email, subject]), why: people.map(({ email, status, reason }) => [email, status, reason]).sort() }`,
  answer: {
    status: 'sent',
    counts: [2, 1, 1],
    got: [['ada@example.com', 'What is new, Ada']],
    why: [
      ['ada@example.com', 'accepted', null],
      ['bob@example.com', 'excluded', 'suppressed'],
    ],
  },
};
