// Adapts pictures to a network: scales them, and converts them to an accepted format. Called by the adapters of networks. A
// picture that does not fit is opened in a separate process (core/pictures); a picture that fits is passed on unchanged.
import { missingPackageMessage } from '../../core/contract/errors/missing-package.ts';
import { beginning } from '../../core/contract/values/shorten.ts';
import {
  type DrawnPicture,
  PictureError,
  type PictureWork,
  pictureProgramMissing,
  pictures,
} from '../../core/pictures/picture-pool.ts';
import { type ConvertedFile, SocialError, type SocialMedia } from '../../plugins/social/port/index.ts';

/** The pictures that a network accepts. */
export interface ImageLimit {
  /** Accepted media types. A picture of another type is converted to the first of them that can be written: JPEG, PNG or WebP. */
  readonly types: readonly string[];
  readonly maxBytes: number;
  /** In pixels. (Default: no limit) */
  readonly maxWidth?: number;
  readonly maxHeight?: number;
  /** Width divided by height. A picture outside of the limits gets white edges. (Default: no limit) */
  readonly minRatio?: number;
  readonly maxRatio?: number;
}

/** A picture that a network accepts. */
export interface FittingImage extends ConvertedFile {
  /** Whether the file differs from the attachment. */
  readonly isConverted: boolean;
}

/** The limit for assets, so no picture has more pixels. */
const maxPixels = 50_000_000;

const formats = { 'image/jpeg': 'jpeg', 'image/png': 'png', 'image/webp': 'webp' } as const;
type WritableType = keyof typeof formats;
const isWritableType = (type: string): type is WritableType => Object.hasOwn(formats, type);

const labelOf = (media: SocialMedia): string => beginning(media.alt, 60) || media.assetId;

/** Whether the attachment can be sent unchanged, as far as can be determined without opening it. */
export function fitsAsItIs(media: SocialMedia, limit: ImageLimit): boolean {
  const { contentType, bytes, width, height } = media;
  if (!limit.types.includes(contentType) || bytes > limit.maxBytes) return false;
  const { maxWidth, maxHeight, minRatio, maxRatio } = limit;
  const hasSizeLimit = [maxWidth, maxHeight, minRatio, maxRatio].some((value) => value !== undefined);
  if (!hasSizeLimit) return true;
  if (width === null || height === null || height === 0) return false;
  const ratio = width / height;
  return (
    width <= (maxWidth ?? width) &&
    height <= (maxHeight ?? height) &&
    ratio >= (minRatio ?? ratio) &&
    ratio <= (maxRatio ?? ratio)
  );
}

/** The size of the picture with its white edges, and without. */
function sizesOf(width: number, height: number, limit: ImageLimit) {
  const { maxWidth = Infinity, maxHeight = Infinity, minRatio = 0, maxRatio = Infinity } = limit;
  // The edges extend the picture to the nearest allowed ratio.
  const ratio = width / height;
  const outerWidth = ratio < minRatio ? height * minRatio : width;
  const outerHeight = ratio > maxRatio ? width / maxRatio : height;
  const scale = Math.min(1, maxWidth / outerWidth, maxHeight / outerHeight);
  const pixels = (length: number): number => Math.max(1, Math.round(length * scale));
  // Rounding up keeps the ratio within its limits.
  const outer = {
    width: ratio < minRatio ? Math.max(1, Math.ceil(pixels(height) * minRatio)) : pixels(width),
    height: ratio > maxRatio ? Math.max(1, Math.ceil(pixels(width) / maxRatio)) : pixels(height),
  };
  return { inner: { width: pixels(width), height: pixels(height) }, outer };
}

const qualities = [90, 82, 72, 60] as const;

function outputOptions(type: WritableType, quality: number): Pick<PictureWork, 'format' | 'alpha'> {
  if (type === 'image/png') return { format: { kind: 'png', compressionLevel: 9, palette: quality < 90, quality } };
  if (type === 'image/webp') return { format: { kind: 'webp', quality } };
  return { format: { kind: 'jpeg', quality }, alpha: 'white' };
}

/** The error for a picture that cannot be opened. */
function openingError(media: SocialMedia, cause: PictureError): SocialError {
  switch (cause.fault) {
    case 'busy':
      return new SocialError('transient', cause.message, { cause });
    case 'package_missing':
      return new SocialError('rejected', missingPackageMessage('sharp', 'which scales and converts pictures'), {
        cause,
      });
    case 'program_missing':
      return new SocialError('rejected', pictureProgramMissing, { cause });
    default: {
      const text = cause.message.replace('The picture', `The picture ${labelOf(media)}`);
      return new SocialError('rejected', text, { cause, problem: 'media_kind' });
    }
  }
}

/**
 * Makes a picture that fits: upright, scaled, with white edges if its ratio is not allowed, in an accepted format, and in the
 * best quality that the size limit allows. Animations are reduced to their first frame.
 * @throws SocialError `rejected` if the file is not a picture, or cannot be made small enough
 */
async function makeFitting(media: SocialMedia, limit: ImageLimit): Promise<ConvertedFile> {
  const type =
    isWritableType(media.contentType) && limit.types.includes(media.contentType)
      ? media.contentType
      : limit.types.find(isWritableType);
  if (type === undefined)
    throw new SocialError('rejected', 'This network does not accept any format that can be written.');
  const bytes = await readAll(media);
  const pool = pictures();
  try {
    const { width: storedWidth, height: storedHeight, orientation } = await pool.read(bytes);
    // From 5 on, the orientation rotates the picture by 90 degrees.
    const [width, height] = orientation >= 5 ? [storedHeight, storedWidth] : [storedWidth, storedHeight];
    // A photograph as PNG would exceed any limit, and a JPEG has no transparency to keep.
    const isLargePng = type === 'image/png' && media.bytes > limit.maxBytes;
    const target = isLargePng && limit.types.includes('image/jpeg') ? 'image/jpeg' : type;
    for (let shrinkFactor = 1; shrinkFactor > 0.15; shrinkFactor *= 0.75) {
      const { inner, outer } = sizesOf(width * shrinkFactor, height * shrinkFactor, limit);
      for (const quality of qualities) {
        const [left, top] = [
          Math.floor((outer.width - inner.width) / 2),
          Math.floor((outer.height - inner.height) / 2),
        ];
        const edges = {
          ...{ left, top },
          right: outer.width - inner.width - left,
          bottom: outer.height - inner.height - top,
        };
        const hasEdges = left + top + edges.right + edges.bottom > 0;
        const file: DrawnPicture = await pool.draw(bytes, {
          maxPixels,
          isUpright: true,
          size: { ...inner, fit: 'fill' },
          colours: 'srgb',
          ...(hasEdges ? { edges } : {}),
          ...outputOptions(target, quality),
        });
        if (file.bytes.byteLength <= limit.maxBytes) return { bytes: new Uint8Array(file.bytes), contentType: target };
      }
    }
  } catch (cause) {
    if (cause instanceof PictureError) throw openingError(media, cause);
    throw cause;
  }
  const text = `The picture ${labelOf(media)} cannot be made as small as ${limit.maxBytes} bytes.`;
  throw new SocialError('rejected', text, { problem: 'media_too_large' });
}

/**
 * The attachment as the network accepts it.
 * @throws SocialError `rejected`, or `transient` if its bytes cannot be read now
 */
export async function fittingImage(media: SocialMedia, limit: ImageLimit): Promise<FittingImage> {
  if (!fitsAsItIs(media, limit)) return { ...(await makeFitting(media, limit)), isConverted: true };
  return { bytes: await readAll(media), contentType: media.contentType, isConverted: false };
}

/** The URL of the attachment, or of the picture made from it. */
export async function fittingImageUrl(media: SocialMedia, limit: ImageLimit): Promise<string> {
  return fitsAsItIs(media, limit) ? media.url() : media.url(await makeFitting(media, limit));
}

async function readAll(media: SocialMedia): Promise<Uint8Array> {
  try {
    return await media.read();
  } catch (cause) {
    throw new SocialError('transient', `The bytes of ${labelOf(media)} cannot be read now.`, { cause });
  }
}
