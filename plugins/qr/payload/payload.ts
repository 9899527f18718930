// Builds the exact text of a code from the content of a design. Called by the operations and by the designer.
import { PostriderError, type ReadContext } from '../../../core/index.ts';
import type { QrContent } from '../schema.ts';
import { vcardText } from './vcard.ts';
import { wifiText } from './wifi.ts';

/** The URL of a short link with `s=qr`, which distinguishes clicks through the code from others. */
function withMark(url: string): string {
  const marked = new URL(url);
  marked.searchParams.set('s', 'qr');
  return marked.href;
}

/** The error `link_not_found` of the links plugin, whose service returns undefined for an unknown link. */
const linkNotFound = (id: string): PostriderError =>
  new PostriderError(
    { code: 'link_not_found', status: 404, type: 'not_found_error', description: '' },
    `There is no short link ${id}. GET /v1/links lists the existing ones.`,
  );

/** The text of the code. A short link is read with `trx`. @throws link_not_found */
export async function payloadOf({ services, trx }: ReadContext, encodes: QrContent): Promise<string> {
  switch (encodes.kind) {
    case 'static':
      return encodes.payload;
    case 'wifi':
      return wifiText(encodes);
    case 'vcard':
      return vcardText(encodes);
    case 'shortLink': {
      const link = await services.links.find(trx, encodes.linkId);
      if (link === undefined) throw linkNotFound(encodes.linkId);
      return withMark(services.links.urlOf(link));
    }
  }
}
