// The questions to the programs of the documents about pages for a program's own team. Used by questions.ts.

export const questionsOfTeamPages = {
  console: {
    ask: `await Promise.all(['', 'session=s_1', 'session=s_2'].map(async (cookie) => { const show = async (path: string) => (await service.fetch(new Request(\`http://localhost/console/\${workspace.id}/\${path}\`, { headers: { cookie, accept: 'text/html' } }))).status; return [await show('contacts'), await show('templates'), await show('nothing')]; }))`,
    answer: [
      [303, 303, 303],
      [200, 200, 404],
      [200, 200, 404],
    ],
  },
  'console-pages': {
    ask: `await Promise.all([['customers?plan=pro', 'ada@acme.example'], ['customers?plan=free', 'No customer has this plan.']].map(async ([path, text = '']) => { const { status, body } = await service.dispatch({ method: 'GET', url: \`/console/\${workspace.id}/\${path}\`, headers: { host: 'localhost' }, body: undefined, address: '127.0.0.1' }); return [status, String(body).includes(text), removable.path, newCustomers.id]; }))`,
    answer: [
      [200, true, 'customers/{contactId}', 'new-customers'],
      [200, true, 'customers/{contactId}', 'new-customers'],
    ],
  },
  inbox: {
    ask: `{ link, found: data.map(({ to, subject }) => [to, subject]), report, bounced: bounced.status, shut: (await service.fetch(new Request('http://localhost/inbox/messages'))).status }`,
    answer: {
      link: 'https://acme.example/sign-in?token=k3Yq',
      found: [['ada@example.com', 'Sign in to Acme']],
      report: { recorded: true, status: 'bounced' },
      bounced: 'bounced',
      shut: 401,
    },
  },
};
