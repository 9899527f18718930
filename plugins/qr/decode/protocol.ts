// The messages between the main thread and the decode thread. Plain data.

/** Grey pixels, one byte each, row by row. */
export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly grey: Uint8Array;
}

/** A picture to decode. */
export interface DecodeRequest {
  readonly picture: GreyPicture;
}

/** The reply of the thread: the bytes of the code, null if it finds none. */
export type DecodeReply =
  | { readonly kind: 'decoded'; readonly bytes: Uint8Array | null }
  | { readonly kind: 'package_missing'; readonly name: string }
  | { readonly kind: 'failed'; readonly message: string };
