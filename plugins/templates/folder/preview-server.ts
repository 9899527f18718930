// Serves the preview of a folder on this machine and notifies open pages when a file changes. Called by preview.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandError } from '../../../core/index.ts';
import { parseUrl } from '../../../core/unstable.ts';
import { createTemplateCompiler } from '../compiler/compiler.ts';
import { localContract, renderLocally } from './local-preview.ts';
import { previewScript, previewStyle } from './preview-assets.ts';
import { emptyPage, type PageChoice, templatePage, views } from './preview-pages.ts';
import { readTemplateFolder } from './read-folder.ts';

/** A running preview. */
export interface PreviewServer {
  readonly url: string;
  /** Makes every open page reload. */
  changed(): void;
  close(): Promise<void>;
}

const pagePolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const mailPolicy =
  "sandbox allow-same-origin; default-src 'none'; style-src 'unsafe-inline' https:; img-src https: data:; font-src https: data:; frame-ancestors 'self'";

function answer(response: ServerResponse, status: number, type: string, body: string, policy = pagePolicy): void {
  response.writeHead(status, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  });
  response.end(body);
}

function choiceOf(url: URL): PageChoice {
  const view = url.searchParams.get('view');
  const example = Number(url.searchParams.get('example') ?? 0);
  return {
    // A malformed name does not match any template.
    key: url.pathname.split('/')[2] ?? '',
    view: views.find((known) => known === view) ?? 'desktop',
    locale: url.searchParams.get('locale') ?? undefined,
    example: Number.isInteger(example) && example >= 0 ? example : 0,
  };
}

const origin = 'http://localhost';

/**
 * The host names of this machine. Requests with another host name are refused, so that a foreign page cannot read the drafts through a
 * name of its own that resolves to this machine (DNS rebinding).
 */
const localHost = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

/** Listens on 127.0.0.1; port 0 takes any free port. @throws CommandError if the port is not available */
export async function startPreviewServer(folderPath: string, port: number): Promise<PreviewServer> {
  const listeners = new Set<ServerResponse>();
  const compiler = createTemplateCompiler();

  const show = async (url: URL, response: ServerResponse): Promise<void> => {
    const folder = await readTemplateFolder(folderPath);
    const choice = choiceOf(url);
    const [first] = folder.templates;
    if (url.pathname === '/' && first !== undefined) {
      response.writeHead(302, { Location: `/show/${encodeURIComponent(first.key)}` }).end();
      return;
    }
    const files = folder.templates.find(({ key }) => key === choice.key);
    if (files === undefined) {
      answer(response, url.pathname === '/' ? 200 : 404, 'text/html', emptyPage(folder, 'There is no such template.'));
      return;
    }
    const preview = await renderLocally(compiler, folder, files, choice, Date.now());
    if (!url.pathname.startsWith('/mail/')) {
      let examples = 0;
      // The preview itself reports faults of the contract.
      if (preview.ok) examples = localContract(folder, files).examples?.length ?? 0;
      answer(response, 200, 'text/html', templatePage(folder, files, choice, preview, examples));
    } else if (preview.ok) answer(response, 200, 'text/html', preview.html, mailPolicy);
    else answer(response, 422, 'text/plain', preview.faults.join('\n'));
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!localHost.test(request.headers.host ?? ''))
      return answer(response, 403, 'text/plain', 'Open the preview with the host name localhost.');
    const address = request.url ?? '/';
    const url = address.startsWith('/') ? parseUrl(address, origin) : undefined;
    if (url === undefined) return answer(response, 400, 'text/plain', 'This is not the address of a page.');
    if (url.pathname === '/preview.css') return answer(response, 200, 'text/css', previewStyle);
    if (url.pathname === '/preview.js') return answer(response, 200, 'text/javascript', previewScript);
    if (url.pathname !== '/changes') return show(url, response);
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' }).flushHeaders();
    listeners.add(response);
    response.once('close', () => listeners.delete(response));
  };

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else answer(response, 500, 'text/plain', error instanceof Error ? error.message : String(error));
    });
  });
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    const isTaken = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE';
    const reason = isTaken ? 'another program uses it' : (cause as Error).message;
    throw new CommandError(
      `The preview cannot use port ${port} of 127.0.0.1: ${reason}. Choose another with --port, or leave --port out.`,
      { cause },
    );
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    changed() {
      for (const listener of listeners) listener.write('data: changed\n\n');
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await compiler.stop();
    },
  };
}
