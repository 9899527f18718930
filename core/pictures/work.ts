// What is to be made of a picture, and what the process that draws answers. Plain data: it goes from one process to the other.

/** How a picture is fitted into a size. */
export interface PictureSize {
  readonly width: number;
  readonly height?: number;
  readonly fit?: 'cover' | 'fill' | 'inside' | 'outside';
  /** (Default: false) */
  readonly withoutEnlargement?: boolean;
  readonly kernel?: 'cubic';
}

/** How the result is written. `raw`: the pixels alone, a byte a channel. */
export type PictureFormat =
  | {
      readonly kind: 'png';
      readonly compressionLevel?: number;
      /** Fewer colours, at this quality. */
      readonly palette?: boolean;
      readonly quality?: number;
      /** Pixels an inch, for print. */
      readonly density?: number;
    }
  | { readonly kind: 'webp'; readonly quality?: number; readonly lossless?: boolean; readonly effort?: number }
  | { readonly kind: 'jpeg'; readonly quality: number; readonly chromaSubsampling?: '4:4:4' }
  | { readonly kind: 'raw' };

/** What is made of a picture. Of an animation the first frame is taken. */
export interface PictureWork {
  /** The most pixels that the picture may say it has: checked before any of them is decoded. */
  readonly maxPixels: number;
  /** At which density vectors are drawn; 72 is their own size. */
  readonly density?: number;
  /** Lifts the limit on the length of texts in vectors. Only for those that this program wrote. */
  readonly isOwn?: boolean;
  /** Turns a photo as its camera says. */
  readonly isUpright?: boolean;
  readonly size?: PictureSize;
  /** White edges. */
  readonly edges?: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
  /** `white`: lays it on a white ground; `remove`: leaves the transparency out; `add`: each pixel gets one. */
  readonly alpha?: 'white' | 'remove' | 'add';
  readonly colours?: 'srgb' | 'grey';
  readonly format: PictureFormat;
}

/** What a picture says of itself, before it is decoded. */
export interface PictureFacts {
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
  /** 1 to 8, as of Exif. */
  readonly orientation: number;
}

/** A drawn picture. */
export interface DrawnPicture {
  readonly bytes: Buffer;
  readonly format: string;
  readonly width: number;
  readonly height: number;
}

/** To the process: the bytes follow. Without `work` it answers the facts. */
export interface PictureRequest {
  readonly work?: PictureWork;
  /** Of the processor: what is left of a second on a busy machine is not the picture's fault. */
  readonly seconds: number;
}

/** From the process: once that it is ready, then one for each request; after `drawn` the bytes follow. */
export type PictureReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'facts'; readonly facts: PictureFacts }
  | { readonly kind: 'drawn'; readonly format: string; readonly width: number; readonly height: number }
  | { readonly kind: 'unreadable'; readonly message: string }
  | { readonly kind: 'too_expensive' }
  | { readonly kind: 'package_missing' }
  | { readonly kind: 'failed'; readonly message: string };
