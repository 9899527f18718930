// The help of the whole command line, of a group of commands, and of one command. Text only, generated from the declarations.
import type { CommandArgument } from '../../core/index.ts';
import { globalArguments, hintOf } from './arguments.ts';
import type { CliCommand } from './command.ts';
import type { TerminalOutput } from './terminal.ts';

/** The fields of a command that the help shows. */
export type DescribedCommand = Pick<CliCommand, 'name' | 'summary' | 'description' | 'examples' | 'arguments'>;

type Colours = TerminalOutput['colours'];

/** Wraps words into lines of at most `width` characters. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else {
        line = line === '' ? word : `${line} ${word}`;
      }
    }
    return [...lines, line];
  });
}

/** Two columns: names and descriptions. Names that are too long get a separate line. */
function columns(
  rows: readonly (readonly [name: string, text: string])[],
  { width, colours }: TerminalOutput,
): string[] {
  const room = Math.min(26, Math.max(...rows.map(([name]) => name.length)));
  return rows.flatMap(([name, text]) => {
    const [first = '', ...rest] = wrap(text, Math.max(24, width - room - 4));
    const indent = ' '.repeat(room + 4);
    const head =
      name.length > room
        ? [`  ${colours.cyan(name)}`, indent + first]
        : [`  ${colours.cyan(name)}${' '.repeat(room - name.length + 2)}${first}`];
    return [...head, ...rest.map((line) => indent + line)];
  });
}

const title = (text: string, colours: Colours): string => colours.bold(text);

function describeArgument(argument: CommandArgument): string {
  const { description, choices, multiple, required, type } = argument;
  const notes = [
    ...(choices === undefined ? [] : [choices.join(', ')]),
    ...(argument.default === undefined || argument.default === false ? [] : [`default: ${argument.default}`]),
    ...(multiple === true ? ['may be repeated'] : []),
    ...(required === true && type !== 'positional' ? ['required'] : []),
  ];
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
}

function optionName(name: string, argument: CommandArgument): string {
  const dashedName = argument.type === 'boolean' && argument.default === true ? `--no-${name}` : `--${name}`;
  return argument.type === 'boolean' ? dashedName : `${dashedName} ${hintOf(name, argument)}`;
}

function usageOf({ name, arguments: declared }: DescribedCommand): string {
  const parts = Object.entries(declared).flatMap(([key, argument]) => {
    const hint = hintOf(key, argument);
    if (argument.type !== 'positional') return argument.required === true ? [`--${key} ${hint}`] : [];
    const word = argument.multiple === true ? `${hint}...` : hint;
    return [argument.required === true ? word : `[${word}]`];
  });
  const hasOptions = Object.values(declared).some(({ type, required }) => type !== 'positional' && required !== true);
  return ['postrider', name, ...parts, ...(hasOptions ? ['[options]'] : [])].join(' ');
}

const shorts: Readonly<Record<string, string>> = { help: '-h, ', version: '-v, ' };

const globalRows = Object.entries(globalArguments).map(
  ([name, argument]) => [`${shorts[name] ?? ''}${optionName(name, argument)}`, describeArgument(argument)] as const,
);

/** The help of one command. */
export function commandHelp(command: DescribedCommand, output: TerminalOutput): string {
  const { colours, width } = output;
  const entries = Object.entries(command.arguments);
  const positionals = entries.filter(([, { type }]) => type === 'positional');
  const options = entries.filter(([, { type }]) => type !== 'positional');
  const lines = [`${colours.bold(`postrider ${command.name}`)}: ${command.summary}.`];
  if (command.description !== undefined) lines.push('', ...wrap(command.description, width));
  lines.push('', title('Usage', colours), `  ${usageOf(command)}`);
  if (positionals.length > 0) {
    const rows = positionals.map(([name, argument]) => [hintOf(name, argument), describeArgument(argument)] as const);
    lines.push('', title('Arguments', colours), ...columns(rows, output));
  }
  if (options.length > 0) {
    const rows = options.map(([name, argument]) => [optionName(name, argument), describeArgument(argument)] as const);
    lines.push('', title('Options', colours), ...columns(rows, output));
  }
  lines.push('', title('Options of all commands', colours), ...columns(globalRows, output));
  if (command.examples !== undefined && command.examples.length > 0) {
    lines.push('', title('Examples', colours));
    for (const [call, does] of command.examples) lines.push(`  ${colours.cyan(call)}`, `      ${colours.dim(does)}`);
  }
  return `${lines.join('\n')}\n`;
}

const commandRows = (commands: readonly DescribedCommand[], output: TerminalOutput): string[] =>
  columns(
    commands.map(({ name, summary }) => [name, summary] as const),
    output,
  );

/** The help of several commands that begin with the same word. */
export function groupHelp(word: string, commands: readonly DescribedCommand[], output: TerminalOutput): string {
  const lines = [
    title(`postrider ${word}`, output.colours),
    '',
    ...commandRows(commands, output),
    '',
    `More about a command: postrider ${word} ${commands[0]?.name.split(' ')[1] ?? 'COMMAND'} --help`,
  ];
  return `${lines.join('\n')}\n`;
}

/** The content of the help of the whole command line. */
export interface Overview {
  readonly version: string;
  readonly builtIn: readonly DescribedCommand[];
  readonly contributed: readonly DescribedCommand[];
  /** The reason why there may be more commands than shown. */
  readonly note: string | undefined;
}

/** The help of the whole command line. */
export function overviewHelp({ version, builtIn, contributed, note }: Overview, output: TerminalOutput): string {
  const { colours } = output;
  const lines = [
    `${colours.bold(`Postrider ${version}`)}: messaging inside your own backend.`,
    '',
    title('Usage', colours),
    '  postrider COMMAND [options]',
    '',
    title('Commands', colours),
    ...commandRows(builtIn, output),
  ];
  if (contributed.length > 0)
    lines.push('', title('Commands of the plugins', colours), ...commandRows(contributed, output));
  if (note !== undefined) lines.push('', colours.yellow(note));
  lines.push('', title('Options of all commands', colours), ...columns(globalRows, output));
  lines.push('', 'More about a command: postrider COMMAND --help. Exit codes: 0 done, 1 failed, 2 wrong usage.');
  return `${lines.join('\n')}\n`;
}
