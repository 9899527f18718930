// The same as shop.cjs, as an ES module.
import express from 'express';
import { createService, isPostriderError } from 'postrider';
import { smtpMail } from 'postrider/adapters/mail/smtp';
import { sqliteStorage } from 'postrider/adapters/storage/sqlite';
import { expressHost } from 'postrider/express';
import { standardPlugins } from 'postrider/plugins';
import { throughExpress, verifySend } from './verify-send.cjs';

const serve = throughExpress(express, expressHost);
verifySend({ serve, createService, isPostriderError, smtpMail, sqliteStorage, standardPlugins });
