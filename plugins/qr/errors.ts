import { defineErrors, notFound } from '../../core/index.ts';
import { packageMissing, pageErrors, pictureProgramMissing } from '../../core/unstable.ts';

/** The reasons why a code cannot be read. */
export type UnreadableReason = 'contrast' | 'inverted' | 'logo_too_big' | 'too_long' | 'style';

const solutions: Readonly<Record<UnreadableReason, string>> = {
  contrast: 'Its colours are too much alike for scanners: give a darker foreground, or a lighter background.',
  inverted: 'Its modules are lighter than its background, which many scanners do not read: swap the colours.',
  logo_too_big:
    'The logo hides more than its error correction can repair: set style.errorCorrection to Q or H, or leave the logo out.',
  too_long:
    'Its text is too long for this error correction: set style.errorCorrection to a lower level, or shorten the text.',
  style:
    'A scanner could not read the picture: give a margin of 4 modules, another shape of dots, or a higher error correction.',
};

export const errors = defineErrors({
  qr_not_found: notFound('QR design', 'GET /v1/qr'),
  qr_unreadable: {
    status: 422,
    type: 'validation_error',
    description:
      'Scanners could not read the code: the detail names the reason (contrast, inverted, logo_too_big, too_long, style) and the field to change. Nothing was stored or charged.',
    message: (details: { reason: UnreadableReason }) => solutions[details.reason],
  },
  qr_logo_invalid: {
    status: 422,
    type: 'validation_error',
    description:
      'The asset that style.logoAssetId names cannot be a logo. It must be a PNG, JPEG or WebP picture, or an SVG without scripts and references, of at most 2 MB and 4,096 px.',
    message: (details: { reason: string }) => `The logo cannot be used: ${details.reason}`,
  },
  qr_assets_missing: {
    status: 501,
    type: 'api_error',
    description:
      'The service has no asset library: logos and saveToAssets need the plugin assets. The operator of the server must add it.',
    message: () =>
      'This service has no asset library, which logos and saveToAssets need. Leave them out, or compose assetsPlugin().',
  },
  qr_renderer_missing: {
    status: 501,
    type: 'api_error',
    description:
      'The server lacks a package that draws or reads codes, or the file of the thread or the process that does. The operator must install the packages (npm install qrcode sharp zxing-wasm) and mark postrider as external in the bundler.',
    message: (details: { kind: 'package' | 'file'; name: string } | { kind: 'pictures' }) =>
      details.kind === 'pictures'
        ? pictureProgramMissing
        : details.kind === 'package'
          ? packageMissing(details.name, 'which QR codes need', ['qrcode', 'sharp', 'zxing-wasm'])
          : `The file ${details.name}, which reads QR codes, is missing beside the server's program. Mark postrider as external in your bundler, or set the path of the file with qrPlugin({ decodeWorker }).`,
  },
  ...pageErrors('qr_designer', 'the designer of QR codes'),
  qr_busy: {
    status: 503,
    type: 'api_error',
    description: 'The server is rendering as many codes as it can at a time. Try again after retry_after_seconds.',
    message: () => 'Too many QR codes are being rendered at the moment. Try again in a second.',
  },
});

/** The fields to change, by reason. */
const paths: Readonly<Record<UnreadableReason, string>> = {
  contrast: 'style.foreground',
  inverted: 'style.foreground',
  logo_too_big: 'style.logoAssetId',
  too_long: 'style.errorCorrection',
  style: 'style',
};

/** The error for a code that scanners would not read. `path`: the field that causes it. */
export function unreadable(reason: UnreadableReason, path: string = paths[reason]) {
  return errors.qr_unreadable({ reason }, { details: [{ path, code: reason, message: solutions[reason] }] });
}

/** The error if too many codes are being rendered. */
export const busy = () => errors.qr_busy({ retryAfterSeconds: 1 });
