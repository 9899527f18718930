// The properties of the output streams: whether they are terminals, whether to use colours, how wide they are. Made once by
// run.ts. A closed reader (EPIPE) is not an error: the work continues, and later output is dropped. If a program may read stdout,
// stdout contains the command's result only, and output of a config goes to stderr.
import type { WriteStream } from 'node:tty';
import { createColors } from 'picocolors';

type Colours = ReturnType<typeof createColors>;

/** One stream. Written text may contain colours and line ends, but no other control characters. */
export interface TerminalOutput {
  /** Writes text. */
  write(text: string): void;
  /** Writes a line. */
  line(text: string): void;
  readonly colours: Colours;
  /** The number of columns; 80 if the width is unknown. */
  readonly width: number;
}

/** Both streams, and whether a user can answer questions. */
export interface Terminal {
  readonly out: TerminalOutput;
  readonly err: TerminalOutput;
  /** Whether stdin and stdout are a terminal and the process does not run under continuous integration. */
  readonly interactive: boolean;
  /** Resolves when all written text has left this process. */
  flush(): Promise<void>;
}

/**
 * Control characters, and characters that reverse the direction of text. In a file's heading or an error's message they would
 * move the cursor, set the window's title or disguise the text.
 */
const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is its purpose
  /\u001b\[(?:0|1|2|22|3\d|9[0-7])m|\r\n|[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Makes a text safe for a terminal: replaces control characters with the escapes of JSON, such as `\\u001b`. Tabs and line ends
 * stay. If `coloured` is true, the colours that this program uses stay, too.
 */
export const escapeControls = (text: string, coloured: boolean): string =>
  text.replace(controls, (control) => {
    if (control === '\n' || control === '\t' || control === '\r\n') return control;
    if (coloured && control.length > 1) return control;
    return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}${control.slice(1)}`;
  });

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';

function wantsColours(stream: WriteStream, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && !isSet(env['NO_COLOR']) && env['TERM'] !== 'dumb';
}

/** A stream whose reader may close at any time. */
function outputOn(stream: WriteStream, env: NodeJS.ProcessEnv): TerminalOutput & { flush(): Promise<void> } {
  let isClosed = false;
  const colours = createColors(wantsColours(stream, env));
  const writeOn = stream.write.bind(stream);
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // EIO: the terminal itself was closed.
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    isClosed = true;
  });
  const write = (text: string) => {
    if (!isClosed && stream.writable) writeOn(escapeControls(text, colours.isColorSupported));
  };
  return {
    write,
    line: (text) => write(`${text}\n`),
    colours,
    get width() {
      return stream.isTTY === true && stream.columns > 0 ? Math.max(40, stream.columns) : 80;
    },
    flush: () =>
      new Promise((resolve) => {
        if (isClosed || !stream.writable) resolve();
        else writeOn('', () => resolve());
      }),
  };
}

/** The streams of this process. */
export function createTerminal({ stdin, stdout, stderr, env }: NodeJS.Process): Terminal {
  const [out, err] = [outputOn(stdout, env), outputOn(stderr, env)];
  // Questions are written to stdout if it is a terminal: then no program parses the output.
  if (stdout.isTTY !== true) stdout.write = stderr.write.bind(stderr);
  return {
    out,
    err,
    interactive: stdin.isTTY === true && stdout.isTTY === true && !isSet(env['CI']),
    async flush() {
      await Promise.all([out.flush(), err.flush()]);
    },
  };
}
