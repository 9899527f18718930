// QR designs with their designer page, and example designs. For the tests of the page.
import type { AccessFunction } from '../../core/index.ts';
import { bodyBytes } from '../../hosts/testing/body-bytes.ts';
import { createTestService, type ParsedJson, type TestService } from '../../hosts/testing/test-service.ts';
import { assetsPlugin } from '../../plugins/assets/index.ts';
import { linksPlugin } from '../../plugins/links/index.ts';
import { qrPlugin } from '../../plugins/qr/index.ts';
import { noRateLimits } from './mail-bench.ts';

/** A service under test with a designer. */
export interface QrBench extends TestService<'links' | 'assets' | 'qr'> {
  /** Requests a path below /qr-designer, from this machine unless the headers or the address name another client. */
  ask(
    path: string,
    request?: { body?: object; headers?: Readonly<Record<string, string>>; address?: string },
  ): Promise<{ status: number; headers: Readonly<Record<string, string>>; text: string; json: ParsedJson }>;
}

/** Opens a bench, with the designer by default. */
export async function openQrBench({
  designer = true,
  ...options
}: {
  readonly designer?: boolean;
  readonly environment?: 'development' | 'production';
  readonly access?: AccessFunction;
} = {}): Promise<QrBench> {
  const test = await createTestService({
    plans: { pro: noRateLimits },
    publicUrl: 'https://api.shop.example',
    ...options,
    plugins: [linksPlugin(), assetsPlugin(), qrPlugin({ designer })],
  });
  return {
    ...test,
    async ask(path, { body, headers = {}, address = '127.0.0.1' } = {}) {
      const response = await test.service.dispatch({
        method: body === undefined ? 'GET' : 'POST',
        url: `/qr-designer${path}`,
        headers: {
          host: 'localhost:3000',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        address,
      });
      const text = (await bodyBytes(response.body)).toString('utf8');
      return {
        status: response.status,
        headers: response.headers,
        text,
        get json(): ParsedJson {
          return JSON.parse(text);
        },
      };
    },
  };
}
