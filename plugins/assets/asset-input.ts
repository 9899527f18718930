// The input of POST /v1/assets. It names one of three sources of the file, each with its own fields.
import { type ErrorDetail, z } from '../../core/index.ts';
import { alt, contentType, name, tags } from './schema.ts';

export const assetInput = z.object({
  name: name.describe('A label, never a path.'),
  alt: alt.default('').describe('The text for readers who cannot see the picture.'),
  tags: tags.default([]).describe('Your own words, to filter by.'),
  dataBase64: z.string().min(1).optional().describe('The file itself in base64: at most 10 MB, decoded.'),
  contentType: contentType.optional().describe('For an upload: the type of the file.'),
  bytes: z
    .int()
    .min(1)
    .optional()
    .describe('For an upload: the length of the file. At most 512 MB for videos, else 25 MB.'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'Give the SHA-256 as 64 digits of 0-9 and a-f.')
    .optional()
    .describe('For an upload: the hash of the file in lower-case hexadecimal digits, which is then checked.'),
  sourceUrl: z
    .url({ protocol: /^https?$/, error: 'Give an https address.' })
    .max(2_048)
    .optional()
    .describe('An https address from which the file is fetched: at most 25 MB.'),
});

export type AssetInput = z.output<typeof assetInput>;

const fieldsOf = {
  bytes: ['dataBase64'],
  upload: ['contentType', 'bytes', 'sha256'],
  url: ['sourceUrl'],
} as const;

type InputSource = keyof typeof fieldsOf;

/** The source of the file, or the fault of the fields. */
export function sourceOf(input: AssetInput): InputSource | ErrorDetail {
  const chosen = (Object.keys(fieldsOf) as InputSource[]).filter((source) =>
    fieldsOf[source].some((field) => input[field] !== undefined),
  );
  const [source, other] = chosen;
  if (source === undefined)
    return {
      path: 'dataBase64',
      code: 'required',
      message: 'Give the file as dataBase64, ask for an upload with contentType and bytes, or give a sourceUrl.',
    };
  if (other !== undefined) {
    const field = fieldsOf[other].find((name) => input[name] !== undefined) ?? other;
    const advice =
      source === 'bytes' && other === 'upload' ? ', which already determines it: leave it out' : ': choose one source';
    return {
      path: field,
      code: 'conflict',
      message: `${field} cannot be combined with ${fieldsOf[source][0]}${advice}.`,
    };
  }
  if (source === 'upload') {
    const missing = input.contentType === undefined ? 'contentType' : input.bytes === undefined ? 'bytes' : undefined;
    if (missing !== undefined)
      return { path: missing, code: 'required', message: 'An upload needs contentType and bytes.' };
  }
  return source;
}
