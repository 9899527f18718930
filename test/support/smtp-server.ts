// An SMTP server that misbehaves on command: a raw TCP server whose answers are all scripted, with drops, hangs and
// late refusals at any step. Used by the tests of answers and faults. It does not parse messages.

import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/**
 * The behaviour at a step: an answer line (several joined by CRLF), permanent silence, or a closed connection with or without an
 * answer before.
 */
export type SmtpStep = string | 'hang' | 'drop' | { readonly say: string; readonly next: 'drop' | 'hang' };

/** One connection's script. A step without an entry is answered with success. */
export interface SmtpScript {
  readonly greeting?: SmtpStep;
  readonly ehlo?: SmtpStep;
  readonly starttls?: SmtpStep;
  /** The answer to AUTH, which `ehlo` must offer. */
  readonly auth?: SmtpStep;
  readonly mail?: SmtpStep;
  readonly rcpt?: SmtpStep;
  readonly data?: SmtpStep;
  /** After the first bytes of the content, before its end. */
  readonly body?: SmtpStep;
  /** After the content's final dot. */
  readonly content?: SmtpStep;
}

const SUCCESS_ANSWERS = {
  greeting: '220 scripted.example ESMTP',
  ehlo: '250-scripted.example\r\n250-PIPELINING\r\n250 8BITMIME',
  starttls: '502 5.5.1 Not implemented',
  auth: '235 2.7.0 Accepted',
  mail: '250 2.1.0 Ok',
  rcpt: '250 2.1.5 Ok',
  data: '354 Go ahead',
  content: '250 2.0.0 Ok: queued as SCRIPT1',
} as const satisfies SmtpScript;

/** `server = await ScriptedSmtpServer.start({ rcpt: '550 5.1.1 No' })`; `await server.stop()`. */
export class ScriptedSmtpServer {
  readonly host = '127.0.0.1';
  /** Command lines received, over all connections. */
  readonly commands: string[] = [];
  /** Contents received up to their final dot, as they came over the wire. */
  readonly contents: string[] = [];
  connections = 0;
  /** Connections on which a scripted hang has begun. */
  hanging = 0;
  readonly #waiting = new Set<() => void>();
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  private constructor(scriptOf: (connection: number) => SmtpScript) {
    this.#server = createServer((socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      // The client resets the connection if it was dropped or if the client gave up.
      socket.on('error', () => undefined);
      this.#talk(socket, scriptOf(this.connections));
      this.#wake();
    });
  }

  /** Starts on a free port of 127.0.0.1; a function gives each connection, counted from 1, its own script. */
  static async start(script: SmtpScript | ((connection: number) => SmtpScript)): Promise<ScriptedSmtpServer> {
    const server = new ScriptedSmtpServer(typeof script === 'function' ? script : () => script);
    await new Promise<void>((resolve) => server.#server.listen(0, server.host, resolve));
    return server;
  }

  get port(): number {
    const address = this.#server.address() as AddressInfo;
    return address.port;
  }

  /** Resolves once `condition` holds; checked after every connection and all received data. */
  async until(condition: (server: ScriptedSmtpServer) => boolean): Promise<void> {
    while (!condition(this)) {
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  /** Drops all connections and stops listening. */
  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #talk(socket: Socket, script: SmtpScript): void {
    let bufferedText = '';
    let inContent = false;
    let silent = false;
    /** Performs a step. @returns true if the session continues */
    const play = (step: SmtpStep): boolean => {
      const fault = typeof step === 'object' ? step.next : step === 'hang' || step === 'drop' ? step : undefined;
      const reply = typeof step === 'object' ? step.say : fault === undefined ? step : undefined;
      if (reply !== undefined) socket.write(`${reply}\r\n`);
      if (fault === 'drop') socket.end();
      if (fault === 'hang') this.hanging += 1;
      silent = fault !== undefined;
      return !silent;
    };
    const answer = (line: string): void => {
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === 'EHLO' || verb === 'HELO') play(script.ehlo ?? SUCCESS_ANSWERS.ehlo);
      else if (verb === 'STAR') play(script.starttls ?? SUCCESS_ANSWERS.starttls);
      else if (verb === 'AUTH') play(script.auth ?? SUCCESS_ANSWERS.auth);
      else if (verb === 'MAIL') play(script.mail ?? SUCCESS_ANSWERS.mail);
      else if (verb === 'RCPT') play(script.rcpt ?? SUCCESS_ANSWERS.rcpt);
      else if (verb === 'DATA') {
        const step = script.data ?? SUCCESS_ANSWERS.data;
        inContent = play(step) && typeof step === 'string' && step.startsWith('354');
      } else if (verb === 'QUIT') play({ say: '221 2.0.0 Bye', next: 'drop' });
      else play('250 2.0.0 Ok');
    };
    const readContent = (): boolean => {
      if (script.body !== undefined && bufferedText.length > 0 && !play(script.body)) return false;
      // An empty content is only a dot: a client sends it to end DATA when no recipient is left.
      const end = bufferedText.startsWith('.\r\n') ? 0 : bufferedText.indexOf('\r\n.\r\n') + 2;
      if (end === 1) return false;
      if (end > 0) this.contents.push(bufferedText.slice(0, end));
      bufferedText = bufferedText.slice(end + 3);
      inContent = false;
      return play(script.content ?? SUCCESS_ANSWERS.content);
    };
    const readLine = (): boolean => {
      const end = bufferedText.indexOf('\r\n');
      if (end < 0) return false;
      const line = bufferedText.slice(0, end);
      bufferedText = bufferedText.slice(end + 2);
      this.commands.push(line);
      answer(line);
      return true;
    };
    socket.on('data', (chunk) => {
      bufferedText += chunk.toString('latin1');
      while (!silent && (inContent ? readContent() : readLine())) {
        // each turn handles one command or one content
      }
      this.#wake();
    });
    play(script.greeting ?? SUCCESS_ANSWERS.greeting);
  }
}

/** A port on which nothing listens: the port of a stopped server. */
export async function deadPort(): Promise<number> {
  const server = await ScriptedSmtpServer.start({});
  const { port } = server;
  await server.stop();
  return port;
}
