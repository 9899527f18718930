// A service whose contacts are exported to and imported from files: the context that the command line passes to these commands, an import
// of a text, and the contacts after it. Each test gets its own workspace.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type CommandContext, CommandError } from '../../core/index.ts';
import type { TestResponse } from '../../hosts/testing/test-service.ts';
import { importContacts } from '../../plugins/contacts/commands/import-contacts.ts';
import { commandContext } from './command-context.ts';
import type { TestDatabase } from './databases.ts';
import { type MailBench, openMailBench } from './mail-bench.ts';

type Body = TestResponse['body'];

/** The hooks of a suite. */
interface Hooks {
  readonly before: ((work: () => Promise<void>) => void) & { each(work: () => Promise<void>): void };
  after(work: () => Promise<void>): void;
}

/** Opens the service before the suite and closes it after the suite. Its fields are set when the first test runs. */
export function contactFiles(test: Hooks, database: TestDatabase) {
  let bench: MailBench;
  let folder: string;
  let warnings: string[];
  let workspaceId: string;
  let interruption = new AbortController();

  /** The context that the command line passes to a command, on the service under test. */
  const contextOf = (workspace: string): CommandContext =>
    commandContext(bench.service, workspace, {
      cwd: folder,
      say: (line) => warnings.push(line),
      signal: interruption.signal,
    });

  const importCsv = async (content: string | Buffer, options: object = {}, workspace = workspaceId): Promise<Body> => {
    warnings = [];
    await writeFile(join(folder, 'in.csv'), content);
    return importContacts.run(contextOf(workspace), { file: 'in.csv', map: [], 'dry-run': false, ...options });
  };
  const refusal = (importing: Promise<unknown>): Promise<string> =>
    importing.then(
      () => {
        throw new Error('The import was accepted.');
      },
      (error: unknown) => {
        assert.instance(error, CommandError);
        return (error as Error).message;
      },
    );
  const allContacts = async (workspace = workspaceId): Promise<Body[]> => {
    const { contacts } = bench.service.as(workspace);
    const allRows: Body[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await contacts.list({ limit: 100, ...(cursor === undefined ? {} : { cursor }) });
      allRows.push(...page.data);
      cursor = page.next_cursor;
    }
    return allRows.reverse();
  };
  const newWorkspace = async (): Promise<string> =>
    (
      await bench.service.workspaces.create({
        name: 'x',
        plan: 'pro',
        defaultFrom: { email: 'a@example.com', name: 'A' },
      })
    ).id;
  const importOne = async (content: string, options: object = {}): Promise<Body> => {
    await importCsv(content, options);
    const [contact, ...others] = await allContacts();
    assert.equal(others, []);
    return contact;
  };

  test.before(async () => {
    bench = await openMailBench(database);
    folder = await mkdtemp(join(tmpdir(), 'postrider-csv-'));
  });
  test.before.each(async () => {
    warnings = [];
    interruption = new AbortController();
    workspaceId = await newWorkspace();
  });
  test.after(async () => {
    await bench.close();
    await rm(folder, { recursive: true, force: true });
  });

  return {
    contextOf,
    /** Imports a text as a file. */
    importCsv,
    /** Imports a text that is refused. Returns the error's message. */
    refusal,
    /** All contacts, oldest first. */
    all: allContacts,
    newWorkspace,
    /** The only contact after importing this text. */
    one: importOne,
    bench: () => bench,
    folder: () => folder,
    workspaceId: () => workspaceId,
    /** The warnings of the last import. */
    lastWarnings: () => warnings.join('\n'),
    /** Interrupts the command, as Ctrl-C does. */
    interrupt: () => interruption.abort(),
    /** Resets the interruption for later commands. */
    resetInterruption: () => {
      interruption = new AbortController();
    },
  };
}
