// Attachments of a send: strict base64, size before decoding, names and types checked. Pure.
import type { ErrorDetail, z } from '../../core/index.ts';
import { errors } from './errors.ts';
import type { attachment } from './schema.ts';

/** Decoded bytes of all attachments together. */
export const attachmentLimit = 10_485_760;

const executable = new Set(
  'ade adp apk appx bat chm cmd com cpl dll dmg exe hta ins isp iso jar js jse lib lnk mde msc msi msp mst nsh pif ps1 scr sct shb sys vb vbe vbs vxd wsc wsf wsh'.split(
    ' ',
  ),
);
// RFC 6838 names, and parameters without quotes.
const typeForm =
  /^[a-z0-9][a-z0-9!#$&^_.+-]{0,62}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,62}(; ?[a-z0-9-]{1,30}=[a-z0-9._-]{1,60})*$/i;
const denied = new Set([
  'message/rfc822',
  'message/partial',
  'message/external-body',
  'application/x-msdownload',
  'application/x-msdos-program',
]);
const base64Form = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const badName = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069/\\<>"|?*:]/;

/** A checked attachment with its bytes. */
export interface DecodedAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly inline: boolean;
  readonly content: Buffer;
}

type Given = z.output<typeof attachment>;

function faultOf(given: Given): string | undefined {
  const { filename, content_type: type } = given;
  if (badName.test(filename) || filename === '.' || filename === '..' || filename.trim() !== filename) {
    return 'The filename holds a path, a control character or one of < > " | ? * :';
  }
  // A trailing dot or space is dropped by some systems, and the extension before it counts then.
  const extension =
    filename
      .replace(/[. ]+$/, '')
      .split('.')
      .pop()
      ?.toLowerCase() ?? '';
  if (filename.includes('.') && executable.has(extension))
    return `Files of type .${extension} are not sent: mail servers refuse executables.`;
  if (!typeForm.test(type) || type.toLowerCase().startsWith('multipart/'))
    return 'The content_type is no MIME type such as application/pdf.';
  if (denied.has(type.toLowerCase().split(';')[0] ?? '')) return `Attachments of type ${type} are not sent.`;
  if (given.inline && !/^[A-Za-z0-9._-]+$/.test(filename))
    return 'The name of an inline attachment is its content id: letters, digits, dot, hyphen and underscore.';
  return undefined;
}

/** Length after decoding, from the text alone. */
const decodedLength = (base64: string): number =>
  Math.floor((base64.length * 3) / 4) - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);

/** The decoded attachments. @throws attachment_too_large, attachment_invalid */
export function decodeAttachments(given: readonly Given[]): DecodedAttachment[] {
  const bytes = given.reduce((sum, { data_base64: data }) => sum + decodedLength(data), 0);
  if (bytes > attachmentLimit) throw errors.attachment_too_large({ bytes, limit: attachmentLimit });
  const details: ErrorDetail[] = [];
  const names = new Set<string>();
  for (const [index, item] of given.entries()) {
    const fault = faultOf(item);
    if (fault !== undefined)
      details.push({ path: `attachments.${index}.filename`, code: 'attachment_refused', message: fault });
    if (!base64Form.test(item.data_base64)) {
      details.push({
        path: `attachments.${index}.data_base64`,
        code: 'base64_invalid',
        message: 'This is not strict base64.',
      });
    }
    if (item.inline && names.has(item.filename)) {
      details.push({
        path: `attachments.${index}.filename`,
        code: 'duplicate',
        message: 'Two inline attachments have this name.',
      });
    }
    if (item.inline) names.add(item.filename);
  }
  const [first] = details;
  if (first !== undefined) throw errors.attachment_invalid({ summary: `${first.path}: ${first.message}` }, { details });
  return given.map((item) => ({
    filename: item.filename,
    contentType: item.content_type,
    inline: item.inline,
    content: Buffer.from(item.data_base64, 'base64'),
  }));
}
