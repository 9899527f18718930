// The work on a picture, and the replies of the process that does it. Plain data, because it is sent between processes.

/** How a picture is fitted into a size. */
export interface PictureSize {
  readonly width: number;
  readonly height?: number;
  readonly fit?: 'cover' | 'fill' | 'inside' | 'outside';
  /** (Default: false) */
  readonly withoutEnlargement?: boolean;
  readonly kernel?: 'cubic';
}

/** How the result is written. `raw`: only the pixels, with one byte for each channel. */
export type PictureFormat =
  | {
      readonly kind: 'png';
      readonly compressionLevel?: number;
      /** Reduces the number of colours, at this quality. */
      readonly palette?: boolean;
      readonly quality?: number;
      /** Pixels per inch, for print. */
      readonly density?: number;
    }
  | { readonly kind: 'webp'; readonly quality?: number; readonly lossless?: boolean; readonly effort?: number }
  | { readonly kind: 'jpeg'; readonly quality: number; readonly chromaSubsampling?: '4:4:4' }
  | { readonly kind: 'raw' };

/** The work on a picture. Of an animation, the first frame is used. */
export interface PictureWork {
  /** The largest number of pixels that the picture may declare; checked before any pixel is decoded. */
  readonly maxPixels: number;
  /** The density at which vectors are drawn; 72 is their own size. */
  readonly density?: number;
  /** Removes the limit on the length of texts in vectors. Only for vectors that this program wrote. */
  readonly isOwn?: boolean;
  /** Rotates a photo by its orientation tag. */
  readonly isUpright?: boolean;
  readonly size?: PictureSize;
  /** The width of white edges, in pixels. */
  readonly edges?: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
  /**
   * `white`: puts the picture on a white background. `remove`: removes the transparency. `add`: gives each pixel a
   * transparency.
   */
  readonly alpha?: 'white' | 'remove' | 'add';
  readonly colours?: 'srgb' | 'grey';
  readonly format: PictureFormat;
}

/** The facts that a picture declares, read before it is decoded. */
export interface PictureFacts {
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
  /** 1 to 8, as in Exif. */
  readonly orientation: number;
}

export interface DrawnPicture {
  readonly bytes: Buffer;
  readonly format: string;
  readonly width: number;
  readonly height: number;
}

/**
 * A message to the process, followed by the bytes of the picture. Without `work`, the process replies with the facts.
 */
export interface PictureRequest {
  readonly work?: PictureWork;
  /** Seconds of processor time, not of real time, so that a picture does not fail only because the machine is busy. */
  readonly seconds: number;
}

/** The limit that a picture reached. */
export type PictureLimit = 'time' | 'memory';

/** A message from the process: first `ready`, then one for each request. The bytes follow after `drawn`. */
export type PictureReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'facts'; readonly facts: PictureFacts }
  | { readonly kind: 'drawn'; readonly format: string; readonly width: number; readonly height: number }
  | { readonly kind: 'unreadable'; readonly message: string }
  | { readonly kind: 'too_expensive'; readonly limit: PictureLimit }
  | { readonly kind: 'package_missing' }
  | { readonly kind: 'failed'; readonly message: string };
