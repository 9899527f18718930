// The same as shop.cjs, as an ES module.
import express from 'express';
import { createService, isPostriderError } from 'postrider';
import { smtpMail } from 'postrider/adapters/mail/smtp';
import { sqliteStorage } from 'postrider/adapters/storage/sqlite';
import { expressHost } from 'postrider/express';
import { standardPlugins } from 'postrider/plugins';
import { verifySend } from './verify-send.cjs';

verifySend({ express, createService, isPostriderError, smtpMail, sqliteStorage, expressHost, standardPlugins });
