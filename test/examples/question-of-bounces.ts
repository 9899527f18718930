// The question that a test asks the program of docs/bounces.md: it passes on the reply of a person and a bounce. For questions.ts.

export const questionOfBounces = {
  ask: `{ id: email.id, unsigned: (await service.fetch(new Request('http://localhost/inbound/mail/mailbox', { method: 'POST', body: '' }))).status, ...(await (async () => {
  const { writeFile } = await import('node:fs/promises');
  const { id } = await service.workspaces.create({ name: 'Acme', defaultFrom: { email: 'hello@acme.example', name: 'Acme' } });
  const calls = service.as(id);
  await calls.templates.create({ key: 'note', mode: 'html', subject: 'Hello', body: '<p>Hello</p>' });
  await calls.templates.publish({ key: 'note' });
  const send = await calls.email.send({ template: 'note', to: 'ada@example.org' });
  await service.drain();
  await writeFile('reply.eml', 'From: ada@example.org\\nSubject: Re: Hello\\n\\nThank you!\\n');
  await writeFile('bounce.eml', \`From: MAILER-DAEMON@mx.example.org\\nSubject: failure notice\\n\\n<ada@example.org>:\\n550 5.1.1 No such user\\n\\nMessage-ID: <\${send.messageId}@acme.example>\\n\`);
  return { reply: (await passOn('reply.eml')).slice(0, 15), bounce: (await passOn('bounce.eml')).replace(send.id, 'the send') };
})()) }`,
  answer: { id: 'email', unsigned: 401, reply: 'kept, no_report', bounce: 'recorded: bounced, the send, now bounced' },
};
