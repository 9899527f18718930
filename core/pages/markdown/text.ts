// Reads Markdown in a worker thread, as HTML or as a tree. Meanwhile the process can serve other requests. Texts that
// take too long or become too large are refused. Called by plugins when a request contains a text, never when the text
// is shown.
import { coreErrors } from '../../contract/errors/core-errors.ts';
import type { ErrorDetail } from '../../contract/errors/errors.ts';
import { programBeside } from '../../threads/thread-program.ts';
import { createWorkThread } from '../../threads/work-thread.ts';
import type { TextNode } from './node.ts';
import type { RenderedText, TextFault, TextRequest, TextResults } from './thread-messages.ts';

const program = 'markdown-worker';
/** The hardest text that is allowed takes half a second of processor time. */
const seconds = 10;
const megabytes = 128;

/**
 * Reads a text. Returns the requested form, or the reason why the text cannot be shown. @throws text_renderer_missing
 */
export type TextReader = <Kind extends keyof TextResults>(
  kind: Kind,
  source: string,
  top?: number,
) => Promise<TextResults[Kind] | TextFault>;

/** Creates a reader with its own thread. The options are for tests. */
export function createTextReader(
  options: { readonly file?: URL | string; readonly seconds?: number } = {},
): TextReader {
  const thread = createWorkThread<TextRequest, TextResults[keyof TextResults] | TextFault>({
    name: 'postrider-markdown',
    file: options.file ?? programBeside(import.meta.url, program),
    seconds: options.seconds ?? seconds,
    megabytes,
  });
  return async (kind, source, top) => {
    const result = await thread.run({ kind, source, top });
    switch (result.kind) {
      case 'done':
        return result.result as TextResults[typeof kind] | TextFault;
      case 'exhausted':
        return { fault: 'It takes too long to lay out. Shorten it, or nest less.' };
      case 'program_missing':
        throw coreErrors.text_renderer_missing({ file: `${program}.js` });
      case 'failed':
        throw new Error(`Reading Markdown failed: ${result.message}`);
    }
  };
}

let shared: TextReader | undefined;

/** Reads with the shared thread of the process, which ends after a minute without work. */
const readShared: TextReader = (kind, source, top) => {
  shared ??= createTextReader();
  return shared(kind, source, top);
};

/** A text in Markdown, and the level of its highest headings on the page. */
export type MarkdownSource = Pick<TextRequest, 'source' | 'top'>;

/** Reads texts. The key of each text is its path in the request. @throws validation_failed */
async function readAll<Kind extends keyof TextResults, Path extends string>(
  kind: Kind,
  sources: ReadonlyMap<Path, MarkdownSource>,
): Promise<ReadonlyMap<Path, TextResults[Kind]>> {
  const results = new Map<Path, TextResults[Kind]>();
  const faults: ErrorDetail[] = [];
  for (const [path, { source, top }] of sources) {
    const result = await readShared(kind, source, top);
    if ('fault' in result) faults.push({ path, code: 'too_complex', message: result.fault });
    else results.set(path, result);
  }
  const [first] = faults;
  if (first === undefined) return results;
  throw coreErrors.validation_failed({ summary: `${first.path}: ${first.message}` }, { details: faults });
}

async function readOne<Kind extends keyof TextResults>(
  kind: Kind,
  path: string,
  source: string,
): Promise<TextResults[Kind]> {
  const [firstResult] = (await readAll(kind, new Map([[path, { source }]]))).values();
  if (firstResult === undefined) throw new Error('The reader returned neither a text nor a fault.');
  return firstResult;
}

/** Renders texts. The key of each text is its path in the request. @throws validation_failed */
export const renderTexts = <Path extends string>(
  sources: ReadonlyMap<Path, MarkdownSource>,
): Promise<ReadonlyMap<Path, RenderedText>> => readAll('html', sources);

/** Renders one text. `path`: its path in the request. @throws validation_failed */
export const renderText = (path: string, source: string): Promise<RenderedText> => readOne('html', path, source);

/** Reads one text as a tree. `path`: its path in the request. @throws validation_failed */
export const readText = async (path: string, source: string): Promise<readonly TextNode[]> =>
  (await readOne('tree', path, source)).nodes;

/** Checks texts. The key of each text is its path in the request. @throws validation_failed */
export async function checkTexts(sources: ReadonlyMap<string, MarkdownSource>): Promise<void> {
  await readAll('check', sources);
}
