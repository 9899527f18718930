// Answers of robots to a message, which are not bounces, although they say that it was not delivered. Read by the test of returned mails.
import { robotReply, type UnusualMail } from './bounce-mails.ts';

export const robotReplies: readonly UnusualMail[] = [
  {
    name: 'a robot that answers for a colleague who has left',
    expected: 'ignored auto_reply',
    mail: robotReply(
      'Re: Hello',
      'Ada no longer works here. Your message was not delivered to anyone. The mailbox does not exist any more.',
    ),
  },
  {
    name: 'a robot that asks for a proof that the sender is a person',
    expected: 'ignored auto_reply',
    mail: robotReply(
      'Re: Hello [please verify]',
      'Your message has not been delivered yet. To prove that you are a person, please click this link.',
    ),
  },
  {
    name: 'a robot that quotes the header of the message',
    expected: 'ignored auto_reply',
    mail: (message) =>
      robotReply(
        'Re: Hello',
        `Your message was not delivered, the mailbox does not exist.\n\nMessage-ID: <${message.messageId}@example.com>`,
      )(message),
  },
  {
    name: 'an absence in Chinese',
    expected: 'ignored auto_reply',
    mail: robotReply('自动回复: Hello', '550 5.1.1 您好，我正在休假。'),
  },
  {
    name: 'an absence in Dutch',
    expected: 'ignored auto_reply',
    mail: robotReply(
      'Automatisch antwoord: Hello',
      'Your mail was not delivered to anybody, this mailbox does not exist any more.',
      'Auto-Submitted: auto-generated\n',
    ),
  },
  {
    name: 'an absence in Russian',
    expected: 'ignored auto_reply',
    mail: robotReply('Автоответ: Hello', 'This address is no longer valid, mail cannot be delivered.'),
  },
  {
    name: 'an absence by an old program',
    expected: 'ignored auto_reply',
    mail: ({ to, messageId }) =>
      `Precedence: auto_reply\nFrom: ${to}\nSubject: I am away\n\nYour message ${messageId} could not be delivered to me.\n`,
  },
];
