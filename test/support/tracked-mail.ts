// The tracked parts of a received mail, and requests as a recipient's programs make them, without a key.
import type { Email } from 'postal-mime';
import type { MailBench } from './mail-bench.ts';

export const publicUrl = 'https://mail.example.com/hub';
export const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** A public request. */
export interface MailVisit {
  readonly method?: string;
  readonly userAgent?: string;
  readonly address?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Requests a URL of a mail, as a browser unless `userAgent` is set. Returns status, headers and text. */
export async function visit(bench: Pick<MailBench, 'service'>, url: string, request: MailVisit = {}) {
  const { method = 'GET', userAgent = firefox, address = '198.51.100.7', headers, body } = request;
  const answer = await bench.service.dispatch({
    method,
    url: url.replace(publicUrl, ''),
    headers: { ...(userAgent === '' ? {} : { 'user-agent': userAgent }), ...headers },
    body: typeof body === 'string' ? Buffer.from(body) : body,
    address,
  });
  const text =
    typeof answer.body === 'string' ? answer.body : Buffer.from(answer.body as Uint8Array).toString('latin1');
  return { status: answer.status, headers: answer.headers, text };
}

const plain = (text: string): string => text.replaceAll('&amp;', '&');

/** The URLs in the HTML of a mail: its links in order, and its tracking pixel. */
export function urlsOf({ html = '' }: Pick<Email, 'html'>) {
  const links = [...html.matchAll(/<a\b[^>]*?href=["']([^"']*)["']/g)].map(([, url = '']) => plain(url));
  const pixel = /<img src="([^"]*\/t\/o\/[^"]*)"/.exec(html)?.[1];
  return { links, pixel };
}

/** The header of a mail, or undefined. */
export const headerOf = ({ headers }: Email, name: string): string | undefined =>
  headers.find(({ key }) => key === name.toLowerCase())?.value;
