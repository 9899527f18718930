// The parts of the SMTP adapter that use nodemailer. smtp.ts loads this file for the first message, so that cold starts stay
// short.
export { createTransport } from 'nodemailer';
export { wireChunks } from '../kit/mime-source.ts';
export { sendBytes, signMessage } from './smtp-bytes.ts';
export { offersSmtpUtf8, openSmtpSession } from './smtp-session.ts';
