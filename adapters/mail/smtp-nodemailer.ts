// What the SMTP adapter does with nodemailer. smtp.ts loads this file for the first message, so that a cold start is short
// without nodemailer.
export { createTransport } from 'nodemailer';
export { wireChunks } from '../kit/mime-source.ts';
export { sendBytes } from './smtp-bytes.ts';
export { offersSmtpUtf8, openSmtpSession } from './smtp-session.ts';
