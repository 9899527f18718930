// A message as the SMTP adapter would put it on the wire, unsigned. The email plugin loads it to show a mail's source.
export { mimeSource as smtpSource } from '../kit/mime-source.ts';
