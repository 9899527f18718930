// Parses the words of a call into its command and the values of its arguments. Pure. Every fault is a usage error that names the
// word and the solution. Reads the tokens of node:util's parser: otherwise options could not be repeated, and unknown options
// would be accepted silently.
import { parseArgs } from 'node:util';
import { CommandError, didYouMean } from '../../core/command-line.ts';
import type { CommandArgument, CommandValue } from '../../core/index.ts';

/** Options of every command, before or after its name. */
export const globalArguments = {
  json: { type: 'boolean', description: 'Print the result as one JSON document' },
  workspace: { type: 'string', hint: 'ID', description: 'Use this workspace (default: the only one)' },
  config: { type: 'string', hint: 'FILE', description: 'Use this config instead of postrider.config.*' },
  cwd: { type: 'string', hint: 'FOLDER', description: 'Run in this folder' },
  verbose: { type: 'boolean', description: 'Show the stack of an error' },
  help: { type: 'boolean', description: 'Show this help' },
  version: { type: 'boolean', description: 'Show the version' },
} as const satisfies Readonly<Record<string, CommandArgument>>;

const shortOptions: Readonly<Record<string, string>> = { h: 'help', v: 'version' };

/** The values of the global options, which every command accepts. */
export interface GlobalOptions {
  readonly json: boolean;
  readonly workspace: string | undefined;
  readonly config: string | undefined;
  readonly cwd: string | undefined;
  readonly verbose: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

type Declared = Readonly<Record<string, CommandArgument>>;

const usage = (message: string): CommandError => new CommandError(message, { exitCode: 2 });

/** Options for parseArgs. All are declared repeatable, so that the error can name a repeated option. */
function optionsOf(declared: Declared) {
  const shorts = new Map(Object.entries(shortOptions).map(([short, name]) => [name, short]));
  return Object.fromEntries(
    Object.entries(declared).flatMap(([name, { type }]) => {
      if (type === 'positional') return [];
      const short = shorts.get(name);
      return [[name, { type, multiple: true, ...(short === undefined ? {} : { short }) }]];
    }),
  );
}

interface ReadTokens {
  readonly options: Map<string, (string | boolean)[]>;
  readonly positionals: { readonly value: string; readonly index: number }[];
  /** Undeclared options, as they were written. */
  readonly unknown: { readonly name: string; readonly raw: string; readonly index: number }[];
}

function readBoolean(rawName: string, value: string | undefined): boolean {
  if (value === undefined || value === 'true') return true;
  if (value === 'false') return false;
  throw usage(`${rawName} is a switch, whose value may only be true or false, not ${JSON.stringify(value)}.`);
}

function readTokens(args: readonly string[], declared: Declared): ReadTokens {
  const { tokens } = parseArgs({
    args: [...args],
    options: optionsOf(declared),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const read: ReadTokens = { options: new Map(), positionals: [], unknown: [] };
  const add = (name: string, value: string | boolean) =>
    read.options.set(name, [...(read.options.get(name) ?? []), value]);
  for (const token of tokens) {
    if (token.kind === 'positional') read.positionals.push({ value: token.value, index: token.index });
    if (token.kind !== 'option') continue;
    const { name, rawName, value, index } = token;
    const type = declared[name]?.type;
    const negatedName = name.startsWith('no-') ? name.slice(3) : undefined;
    if (type === 'boolean') {
      add(name, readBoolean(rawName, value));
    } else if (type === 'string') {
      // A word that starts with a hyphen after an option without a value is most probably the next option.
      const tookNextOption = token.inlineValue === false && value !== undefined && /^-./.test(value);
      if (value === undefined || tookNextOption)
        throw usage(
          `${rawName} needs a value${tookNextOption ? `. To give ${value}, write ${rawName}=${value}` : ''}.`,
        );
      add(name, value);
    } else if (negatedName !== undefined && declared[negatedName]?.type === 'boolean' && value === undefined) {
      add(negatedName, false);
    } else {
      read.unknown.push({ name, raw: rawName, index });
    }
  }
  return read;
}

/** A call before its command is known. The positional words come first. */
export interface CommandLineCall {
  /** The words before the first word that is neither a global option nor its value. */
  readonly words: readonly string[];
  readonly globals: GlobalOptions;
}

/** Reads the options of all commands, at any position. @throws CommandError with exit code 2 */
export function readCall(argv: readonly string[]): CommandLineCall {
  const commandWords: string[] = [];
  let leadingWords = true;
  const ownWords: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--') break;
    const name = /^--([a-z][a-z-]*)(=.*)?$/s.exec(word);
    const longName = name?.[1] ?? shortOptions[/^-([a-z])$/.exec(word)?.[1] ?? ''];
    const declared = longName === undefined ? undefined : (globalArguments as Declared)[longName.replace(/^no-/, '')];
    if (declared !== undefined) {
      ownWords.push(word);
      if (declared.type === 'string' && name?.[2] === undefined && argv[index + 1] !== undefined) {
        index += 1;
        ownWords.push(argv[index] ?? '');
      }
    } else if (word.startsWith('-')) {
      if (commandWords.length === 0 && word !== '-') {
        throw usage(
          `Unknown option ${word}.${didYouMean(word.replace(/^-+/, ''), Object.keys(globalArguments), '--')} Put the options of a command after its name.`,
        );
      }
      leadingWords = false;
    } else if (leadingWords) {
      commandWords.push(word);
    }
  }
  const { options } = readTokens(ownWords, globalArguments);
  const [text, flag] = [
    (name: string) => options.get(name)?.at(-1) as string | undefined,
    (name: string) => options.get(name)?.at(-1) === true,
  ];
  return {
    words: commandWords,
    globals: {
      json: flag('json'),
      workspace: text('workspace'),
      config: text('config'),
      cwd: text('cwd'),
      verbose: flag('verbose'),
      help: flag('help'),
      version: flag('version'),
    },
  };
}

const looksLikeKey = (text: string): boolean => /_(?:live|test|mcp)_[0-9A-Za-z]{20,}/.test(text);

/** The name of an argument in the help and in errors. */
export const hintOf = (name: string, { hint }: CommandArgument): string => hint ?? name.toUpperCase();

function checkChoice(label: string, { choices }: CommandArgument, value: string): void {
  if (choices === undefined || choices.includes(value)) return;
  throw usage(`${label} is one of ${choices.join(', ')}, not ${JSON.stringify(value)}.${didYouMean(value, choices)}`);
}

function valueOfArgument(name: string, argument: CommandArgument, inputs: readonly (string | boolean)[]): CommandValue {
  const label = argument.type === 'positional' ? hintOf(name, argument) : `--${name}`;
  for (const value of inputs) if (typeof value === 'string') checkChoice(label, argument, value);
  if (argument.multiple === true) return inputs.filter((value) => typeof value === 'string');
  if (argument.type !== 'boolean' && inputs.length > 1) throw usage(`${label} is given more than once.`);
  const value = inputs.at(-1) ?? argument.default;
  return value === undefined && argument.type === 'boolean' ? false : value;
}

/**
 * The values of a command's arguments in a call. `argv` is the whole call; `name` is the name of the command, of one or two words.
 * @throws CommandError with exit code 2
 */
export function readArguments(
  argv: readonly string[],
  name: string,
  declared: Declared,
): Readonly<Record<string, CommandValue>> {
  const clashingName = Object.keys(declared).find((argument) => argument in globalArguments);
  if (clashingName !== undefined)
    throw new CommandError(`The command ${name} declares --${clashingName}, which is an option of all commands.`);
  const { options, positionals, unknown } = readTokens(argv, { ...globalArguments, ...declared });
  const [unknownOption] = unknown;
  if (unknownOption !== undefined) {
    const optionNames = [
      ...Object.keys(globalArguments),
      ...Object.keys(declared).filter((key) => declared[key]?.type !== 'positional'),
    ];
    throw usage(
      `Unknown option ${unknownOption.raw}.${didYouMean(unknownOption.name, optionNames, '--')} See: postrider ${name} --help`,
    );
  }
  const values = positionals.slice(name.split(' ').length).map(({ value }) => value);
  const input: Record<string, CommandValue> = {};
  for (const [key, argument] of Object.entries(declared)) {
    const isRest = argument.type === 'positional' && argument.multiple === true;
    const argumentValues =
      argument.type === 'positional' ? values.splice(0, isRest ? values.length : 1) : (options.get(key) ?? []);
    if (argument.required === true && argumentValues.length === 0) {
      const label = argument.type === 'positional' ? hintOf(key, argument) : `--${key} ${hintOf(key, argument)}`;
      throw usage(
        `postrider ${name} needs ${label}: ${lowerFirst(argument.description)}. See: postrider ${name} --help`,
      );
    }
    input[key] = valueOfArgument(key, argument, argumentValues);
  }
  const [extraPositional] = values;
  if (extraPositional !== undefined) {
    // An API key is not repeated, so that the secret does not appear in logs.
    const word = looksLikeKey(extraPositional) ? 'that is an API key' : JSON.stringify(extraPositional);
    throw usage(`postrider ${name} does not accept the argument ${word}. See: postrider ${name} --help`);
  }
  return input;
}

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);
