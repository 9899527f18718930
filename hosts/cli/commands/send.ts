// send: sends one mail from a template, as the service itself. In the sandbox unless --live is given.
import { randomUUID } from 'node:crypto';
import { CommandError } from '../../../core/command-line.ts';
import { defineCliCommand } from '../command.ts';
import { requireOperation } from '../context.ts';
import { assignVariables, readVariables } from '../variables.ts';

const scenarios = [
  'delivered',
  'hard_bounced',
  'soft_bounced',
  'delivery_delayed',
  'complained',
  'opened',
  'clicked',
  'failed',
  'suppressed',
] as const;

const idPattern = /^[^\p{Cc}\p{Cs}]{1,200}$/u;

export const send = defineCliCommand({
  name: 'send',
  summary: 'Send one mail from a template, in the sandbox or live',
  description:
    'Without --live the mail is sent in the sandbox: it is rendered, checked and listed, and its delivery is simulated. ' +
    'With --live it is really sent. A running process delivers it: your program or postrider dev.',
  examples: [
    [
      'postrider send receipt --to ada@example.com --var name=Ada --var order=NW-1042',
      'tries a template in the sandbox',
    ],
    ['postrider send receipt --to ada@example.com --vars order.json --live', 'sends for real'],
    [
      'jq .order order.json | postrider send receipt --to ada@example.com --vars - --dry-run',
      'checks it and sends nothing',
    ],
  ],
  arguments: {
    template: { type: 'positional', required: true, description: 'The key of the template' },
    to: { type: 'string', required: true, hint: 'ADDRESS', description: 'The recipient' },
    var: {
      type: 'string',
      multiple: true,
      hint: 'NAME=VALUE',
      description: 'A variable of the template; text becomes a number if the template requires a number',
    },
    vars: {
      type: 'string',
      hint: 'FILE',
      description: 'A JSON file with variables; - reads stdin. --var wins over it',
    },
    locale: { type: 'string', hint: 'TAG', description: 'The language of the mail, such as de or pt-BR' },
    live: { type: 'boolean', description: 'Send for real' },
    scenario: { type: 'string', choices: scenarios, description: 'The outcome that the sandbox simulates' },
    'dry-run': { type: 'boolean', description: 'Check the mail and send nothing' },
    'idempotency-key': {
      type: 'string',
      hint: 'KEY',
      description: 'Calls with the same key send only once',
    },
  },

  async run(context, input) {
    const { template, to, var: assignments, vars, locale, live, scenario, 'dry-run': dryRun } = input;
    const { project, print, calls } = context;
    if (live && scenario !== undefined)
      throw new CommandError('--scenario works in the sandbox only. Leave out --live or --scenario.', { exitCode: 2 });
    const idempotencyKey = input['idempotency-key'] ?? randomUUID();
    if (!idPattern.test(idempotencyKey))
      throw new CommandError('--idempotency-key must have 1 to 200 characters.', { exitCode: 2 });
    const fromFile = await readVariables(vars, context);
    await requireOperation(project, 'email.send', 'email');
    const { email, templates } = await calls({ sandbox: !live });
    const contract = assignments.length === 0 ? undefined : (await templates.schema({ key: template })).variables;
    const message = {
      template,
      to,
      variables: { ...fromFile, ...assignVariables(assignments, contract) },
      ...(locale === undefined ? {} : { locale }),
      ...(scenario === undefined ? {} : { simulationScenario: scenario }),
    };
    const result = await email.send(message, { idempotencyKey, dryRun, signal: context.signal });
    const outcome = `${result.status === 'sent' ? 'mail' : result.status} to ${result.to}: ${result.subject}`;
    const delivery = result.sandbox
      ? 'This was the sandbox: nothing was delivered. Add --live to send it.'
      : `Live, through ${result.connectorProvider}.`;
    if (dryRun) print(`It would be accepted: ${outcome}. Nothing was sent.`);
    else print(`Accepted ${result.id}, ${outcome}`);
    if (result.whyNotSent !== undefined) print(`Not sent: ${result.whyNotSent}`);
    else print(delivery);
    if (result.inboxUrl !== undefined && !dryRun) print(`View it: ${result.inboxUrl}`);
    return { ...result, dry_run: dryRun };
  },
});
