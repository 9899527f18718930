// Requests pages for the program's own staff in this process, as a browser does. Called by tests of these pages.
import type { Service } from '../../core/kernel/compose.ts';
import { bodyBytes } from '../../hosts/testing/index.ts';

/** A page's answer. */
export interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Returns a function that requests pages like a browser on this machine: it appends `rest` to `path`. Requests to pages are rate-limited
 * by client address, so a test with very many requests must return several addresses from `address`. (Default: 127.0.0.1)
 */
export const pageRequester =
  ({ dispatch }: Pick<Service, 'dispatch'>, path: string, address: () => string = () => '127.0.0.1') =>
  async (
    rest: string,
    headers: Record<string, string> = {},
    method = 'GET',
    body: string | undefined = undefined,
  ): Promise<PageResponse> => {
    const answer = await dispatch({
      method,
      url: `${path}${rest}`,
      headers: { host: 'localhost', ...headers },
      body,
      address: address(),
    });
    return { status: answer.status, headers: answer.headers, text: (await bodyBytes(answer.body)).toString('utf8') };
  };
