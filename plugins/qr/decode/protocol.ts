// The messages between the service's thread and the decode thread. Plain data.

/** Grey pixels, a byte each, row by row. */
export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly grey: Uint8Array;
}

/** A picture to decode. */
export interface DecodeRequest {
  readonly picture: GreyPicture;
}

/** What the thread answers: the bytes of the code, null where it finds none. */
export type DecodeReply =
  | { readonly kind: 'decoded'; readonly bytes: Uint8Array | null }
  | { readonly kind: 'package_missing'; readonly name: string }
  | { readonly kind: 'failed'; readonly message: string };
