// A CommonJS program on the installed package: serves it with Express, sends one mail to the SMTP server at SMTP_PORT.
const express = require('express');
const { createService, isPostriderError } = require('postrider');
const { smtpMail } = require('postrider/adapters/mail/smtp');
const { sqliteStorage } = require('postrider/adapters/storage/sqlite');
const { expressHost } = require('postrider/express');
const { standardPlugins } = require('postrider/plugins');
const { verifySend } = require('./verify-send.cjs');

verifySend({ express, createService, isPostriderError, smtpMail, sqliteStorage, expressHost, standardPlugins });
