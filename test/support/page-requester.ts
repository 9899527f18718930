// Requests pages for the program's own staff in this process, as a browser does. Called by tests of these pages.
import type { Service } from '../../core/kernel/compose.ts';
import { bodyBytes } from '../../hosts/testing/index.ts';

/** A page's answer. */
export interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Requests the page at `path` as a browser on this machine does. `rest` follows its path. */
export const pageRequester =
  ({ dispatch }: Pick<Service, 'dispatch'>, path: string) =>
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
      address: '127.0.0.1',
    });
    return { status: answer.status, headers: answer.headers, text: (await bodyBytes(answer.body)).toString('utf8') };
  };
