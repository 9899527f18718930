// The bytes of an attachment as the body of a request. Called by the adapters of networks.
import { isSocialError, SocialError, type SocialMedia } from '../../plugins/social/port/index.ts';

/**
 * Returns all bytes, or the bytes of a range. The source is opened when the first byte is read and closed when reading ends, so a
 * request that is refused before its body is sent leaves no source open.
 * @throws SocialError `transient` if the source fails, in which case the request had no effect
 */
export async function* bytesOf(
  media: SocialMedia,
  range?: { readonly start: number; readonly end: number },
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of await media.open(range)) yield chunk;
  } catch (cause) {
    if (isSocialError(cause)) throw cause;
    throw new SocialError('transient', `The bytes of ${media.assetId} cannot be read now.`, { cause });
  }
}
