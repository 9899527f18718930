// A CommonJS program on the installed package: serves it with Express, sends one mail to the SMTP server at SMTP_PORT.
const express = require('express');
const { createService, isPostriderError } = require('postrider');
const { smtpMail } = require('postrider/adapters/mail/smtp');
const { sqliteStorage } = require('postrider/adapters/storage/sqlite');
const { expressHost } = require('postrider/express');
const { standardPlugins } = require('postrider/plugins');
const { throughExpress, verifySend } = require('./verify-send.cjs');

const serve = throughExpress(express, expressHost);
verifySend({ serve, createService, isPostriderError, smtpMail, sqliteStorage, standardPlugins });
