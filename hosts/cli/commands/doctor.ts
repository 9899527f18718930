// doctor: checks that everything the service needs is present and responds.
import { defineCliCommand } from '../command.ts';

export const doctor = defineCliCommand({
  name: 'doctor',
  summary: 'Check Node, config, keyring, database, mail, limits and packages',
  description:
    'Changes nothing and sends nothing; each check has a time limit. The exit code is 1 when a check fails (✗). Notes (!) do not count.',
  examples: [
    ['NODE_ENV=production postrider doctor', 'before a deploy, with the environment of production'],
    ['postrider doctor --lambda', 'also whether the service can be a function of AWS Lambda'],
    ['postrider doctor --workspace ws_01J…', 'also checks the mail adapter, connectors and domains of that workspace'],
  ],
  arguments: {
    lambda: { type: 'boolean', description: 'Also check the requirements of a function of AWS Lambda' },
  },

  async run(context, { lambda }) {
    const { print, terminal, setFailed: fail } = context;
    const { inspect } = await import('../doctor/inspect.ts');
    const findings = await inspect(context, { lambda });
    const { colours } = terminal.out;
    const marks = { good: colours.green('✓'), note: colours.yellow('!'), bad: colours.red('✗') };
    const width = Math.max(...findings.map(({ name }) => name.length));
    for (const { state, name, text } of findings) print(`${marks[state]} ${name.padEnd(width)}  ${text}`);
    const problemCount = findings.filter(({ state }) => state === 'bad').length;
    if (problemCount > 0) fail();
    print('');
    print(
      problemCount === 0
        ? 'No problems found.'
        : `${problemCount === 1 ? '1 problem' : `${problemCount} problems`} found.`,
    );
    return { ok: problemCount === 0, findings };
  },
});
