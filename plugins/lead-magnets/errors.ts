import { defineErrors, notFound } from '../../core/index.ts';
import { packageMissing } from '../../core/unstable.ts';

export const errors = defineErrors({
  lead_magnet_not_found: notFound('lead magnet', 'GET /v1/lead-magnets'),
  lead_magnet_characters: {
    status: 422,
    type: 'validation_error',
    description:
      'The text has characters that no font of the PDF has, such as emoji; the details name them and their positions. Replace them, or ask the operator of the server to add a font that has them (leadMagnetsPlugin({ fonts })). Nothing was stored or charged.',
    message: (details: { characters: string }) =>
      `No font of the PDF has these characters: ${details.characters}. Replace them, or ask the operator of the server to add a font that has them with leadMagnetsPlugin({ fonts }).`,
  },
  lead_magnet_renderer_missing: {
    status: 501,
    type: 'api_error',
    description:
      'The server has no pdfkit, which writes the PDF, or no font for a script of the text, or a font file of leadMagnetsPlugin({ fonts }) cannot be read. The operator of the server must install or correct it. Nothing was stored or charged.',
    message: (
      details:
        | { kind: 'package'; name: string }
        | { kind: 'script'; scripts: readonly string[]; packages: readonly string[] }
        | { kind: 'font'; family: string },
    ) => {
      if (details.kind === 'package') return packageMissing(details.name, 'which writes PDF files');
      if (details.kind === 'font')
        return `A file of the font ${details.family} in leadMagnetsPlugin({ fonts }) cannot be read. Give a TrueType or OpenType font.`;
      const { scripts, packages } = details;
      return `The text needs packages (${scripts.join(', ')}) that are not installed on the server, or were left out of its bundle: npm install ${packages.join(' ')}`;
    },
  },
  lead_magnet_export_busy: {
    status: 503,
    type: 'api_error',
    description: 'The workspace exports as many lead magnets as it can at a time. Try again after retry_after_seconds.',
    message: () => 'Too many lead magnets are being exported at the moment. Try again in two seconds.',
  },
});

export const busy = () => errors.lead_magnet_export_busy({ retryAfterSeconds: 2 });
