// The same as shop.mjs with Fastify: an ES module on the installed package.
import fastify from 'fastify';
import { createService, isPostriderError } from 'postrider';
import { smtpMail } from 'postrider/adapters/mail/smtp';
import { sqliteStorage } from 'postrider/adapters/storage/sqlite';
import { fastifyHost } from 'postrider/fastify';
import { standardPlugins } from 'postrider/plugins';
import { throughFastify, verifySend } from './verify-send.cjs';

const serve = throughFastify(fastify, fastifyHost);
verifySend({ serve, createService, isPostriderError, smtpMail, sqliteStorage, standardPlugins });
