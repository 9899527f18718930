import { defineErrors, notFound } from '../../core/index.ts';
import { packageMissing, pictureProgramMissing } from '../../core/unstable.ts';

export const errors = defineErrors({
  composition_not_found: notFound('composition', 'GET /v1/compositions'),
  composition_incomplete: {
    status: 409,
    type: 'conflict_error',
    description:
      'A layer shows content that does not exist or cannot be drawn: a deleted asset, a picture that takes too much time or memory, a logo that the brand does not have, a QR design. The detail names the layer. Change the layer, and render again.',
    /** `reason`: a whole sentence. */
    message: (details: { layerId: string; reason: string }) =>
      `The layer ${details.layerId} cannot be drawn: ${details.reason} Change the layer with PATCH, then render again.`,
  },
  composition_too_large: {
    status: 422,
    type: 'validation_error',
    description:
      'The picture is too large to draw or to return: too many pixels for its layers, or more than 10 MB. Ask for a smaller scale, or for webp or jpeg.',
    message: (details: { reason: string }) => details.reason,
  },
  composition_fonts_missing: {
    status: 501,
    type: 'api_error',
    description:
      'The server has no font with some letters of the texts, and would draw boxes instead. The operator must install one, such as Noto. Format svg needs no font of the server.',
    message: (details: { letters: readonly string[] }) =>
      `The server has no font with ${details.letters.join(' ')}. Its operator must install one, such as Noto Sans; format svg needs none, because the reader's fonts draw it.`,
  },
  composition_renderer_missing: {
    status: 501,
    type: 'api_error',
    description:
      'The server lacks the package that draws pictures, or the program that draws with it. The operator must install it (npm install sharp) and mark postrider as external in the bundler.',
    message: (details: { missing: 'package' | 'file' }) =>
      details.missing === 'package' ? packageMissing('sharp', 'which draws compositions') : pictureProgramMissing,
  },
  composition_busy: {
    status: 503,
    type: 'api_error',
    description: 'The server is drawing as many pictures as it can at a time. Try again after retry_after_seconds.',
    message: () => 'Too many pictures are being drawn at the moment. Try again in a few seconds.',
  },
});

/** The error if too many pictures are being drawn. */
export const busyError = () => errors.composition_busy({ retryAfterSeconds: 3 });

/** The error for a layer that cannot be drawn. `path`: the field in the composition. */
export const incompleteError = (layerId: string, path: string, reason: string, cause?: unknown) =>
  errors.composition_incomplete(
    { layerId, reason },
    { cause, details: [{ path, code: 'composition_incomplete', message: reason }] },
  );
