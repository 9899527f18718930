// Prompts for common questions about sends. They only name tools of this plugin and of the plugins that it requires.
import type { PromptDeclaration } from '../../core/index.ts';

export const prompts: readonly PromptDeclaration[] = [
  {
    name: 'why_not_arrived',
    title: 'Find out why a mail did not arrive',
    description: "Follows a recipient's sends and the suppression list to the reason, and says what to do.",
    arguments: [
      { name: 'recipient', description: 'The address that says it got nothing.', required: true },
      { name: 'about', description: 'Which mail, and about when it was expected.', required: false },
    ],
    tools: ['list_sends', 'read_send', 'list_suppressions'],
    text: ({ recipient, about }) =>
      [
        `${recipient} says that a mail did not arrive${about === undefined ? '' : ` (${about})`}. Find out why.`,
        'Look up what was sent there with list_sends (to), and read the send in question with read_send: status, whyNotSent and the timeline.',
        'suppressed: see list_suppressions (email) for the reason. bounced: the class, the code and the words of their server. failed: whyNotSent. delivery_delayed: when it is tried again. delivered: their server took it, so it is in a spam folder, a rule or a quarantine. sandbox true: it was never meant to leave.',
        'No send at all: a sequence may have failed before it sent. Find the contact with list_contacts (email); the timeline of read_contact names its runs, list_sequence_runs (contactId) those of one sequence. read_sequence_run shows for each step what was done, or why not. Where no run was to send it either, our own program never asked for one.',
        'Tell me what happened, in order and with times, how sure that is, and what I can do. Do not send anything again, and take nobody off the suppression list, unless I say so.',
      ].join('\n'),
  },
  {
    name: 'try_template',
    title: 'Try a template out',
    description: 'Puts a test of the working copy into the sandbox inbox, where it can be looked at.',
    arguments: [
      {
        name: 'template',
        description: "The template's key.",
        required: true,
        resource: 'postrider://templates/{key}',
      },
      { name: 'locale', description: "A recipient's language as a BCP 47 tag: de, pt-BR.", required: false },
    ],
    tools: ['read_template_schema', 'send_test', 'read_send'],
    text: ({ template, locale }) =>
      [
        `Try the template ${template} out${locale === undefined ? '' : ` in ${locale}`}.`,
        'send_test reaches nobody and counts against nothing. Leave variables out if the contract has an example; without one they are filled with their names: make up plausible ones from read_template_schema.',
        'Read the send with read_send until it has come to an end. Tell me its subject, how it ended, and inboxUrl if there is one.',
      ].join('\n'),
  },
];
