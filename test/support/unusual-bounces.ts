// Bounces in the words of real servers that are easily misread. Called by email-unusual-bounces.test.ts.
import { bounceForPeople, bytesOf, exim, international, qmail, report, type UnusualMail } from './bounce-mails.ts';

export const unusualBounces: readonly UnusualMail[] = [
  {
    name: 'qmail, no such host',
    expected: 'hard dns_failure',
    mail: qmail("Sorry, I couldn't find any host named gone.example. (#5.1.2)"),
  },
  {
    name: 'qmail, too long in the queue',
    expected: 'soft general',
    mail: qmail(
      "CNAME lookup failed temporarily. (#4.4.3)\nI'm not going to try again; this message has been in the queue too long.",
    ),
  },
  {
    name: 'qmail, a refusal of the content that says unknown user',
    expected: 'undetermined no_mailbox',
    mail: qmail('192.0.2.1 failed after I sent the message.\nRemote host said: 550 User unknown'),
  },
  {
    name: 'qmail, a greeting that refuses',
    expected: 'undetermined no_mailbox',
    mail: qmail('Connected to 192.0.2.1 but greeting failed.\nRemote host said: 554 5.1.1 no such user here'),
  },
  {
    name: 'qmail, an account of Yahoo',
    expected: 'hard no_mailbox',
    mail: qmail(
      "192.0.2.1 does not like recipient.\nRemote host said: 554 delivery error: dd This user doesn't have a yahoo.com account (ada@yahoo.com) [0] - mta1.mail.bf1.yahoo.com\nGiving up on 192.0.2.1.",
    ),
  },
  {
    name: 'Exim, a sender that was refused in a pipeline',
    expected: 'undetermined no_mailbox',
    mail: exim(
      'SMTP error from remote mail server after pipelined MAIL FROM:<hello@example.com> SIZE=2345:\n550 5.1.1 unknown user',
    ),
  },
  {
    name: 'Exim, content that was refused in a pipeline',
    expected: 'undetermined no_mailbox',
    mail: exim('SMTP error from remote mail server after pipelined end of data:\n550 User unknown'),
  },
  {
    name: 'Exim, a connection that was refused',
    expected: 'undetermined no_mailbox',
    mail: exim('SMTP error from remote mail server after initial connection:\n550 no such user: rejected'),
  },
  {
    name: 'Exim, a check of the sender',
    expected: 'undetermined policy',
    mail: exim(
      'SMTP error from remote mail server after RCPT TO:<ada@example.org>:\n550-Verification failed for <hello@example.com>\n550-Called:   192.0.2.4\n550-Sent:     RCPT TO:<hello@example.com>\n550-Response: 550 User unknown\n550 Sender verify failed',
    ),
  },
  {
    name: 'Exim, a limit of the sending account',
    expected: 'undetermined policy',
    mail: exim('Domain example.com has exceeded the max emails per hour (50/50 (100%)) allowed.  Message discarded.'),
  },
  {
    name: 'Exchange Online, an unknown recipient',
    expected: 'hard no_mailbox',
    mail: report('5.1.10', '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'),
  },
  {
    name: 'Exchange Online, an unknown recipient that is refused at the edge',
    expected: 'hard no_mailbox',
    mail: report(
      '5.4.1',
      '550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [AM0EUR02FT012.eop-EUR02.prod.protection.outlook.com]',
    ),
  },
  {
    name: 'Exchange Online, a group for members only',
    expected: 'undetermined policy',
    mail: report(
      '5.7.133',
      '550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed because the sender was not authenticated when sending to this group',
    ),
  },
  {
    name: 'Exchange Online, a full mailbox',
    expected: 'undetermined mailbox_full',
    mail: report(
      '5.2.2',
      '554 5.2.2 mailbox full;STOREDRV.Deliver.Exception:QuotaExceededException.MapiExceptionShutoffQuotaExceeded; Failed to process message due to a permanent exception',
    ),
  },
  {
    name: 'Exchange Online, several senders',
    expected: 'undetermined policy',
    mail: report('5.1.20', '550 5.1.20 Multiple From addresses are not allowed in the message'),
  },
  {
    name: 'Exchange Online, a daily limit',
    expected: 'undetermined policy',
    mail: report(
      '5.1.90',
      "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients",
    ),
  },
  {
    name: 'Exchange, an ambiguous address',
    expected: 'undetermined general',
    mail: report('5.1.4', '550 5.1.4 RESOLVER.ADR.Ambiguous; ambiguous address'),
  },
  {
    name: 'Exchange 2003',
    expected: 'hard no_mailbox',
    mail: bounceForPeople(
      'Undeliverable: Hello',
      ({ to }) =>
        `Your message did not reach some or all of the intended recipients.\n\nThe following recipient(s) could not be reached:\n\n      ${to} on 02.11.2026 09:00\n            The e-mail account does not exist at the organization this message was sent to.\n            <mail.example.org #5.1.1>`,
      'System Administrator <postmaster@example.org>',
    ),
  },
  {
    name: 'Exchange in German',
    expected: 'hard no_mailbox',
    mail: bounceForPeople(
      'Unzustellbar: Hello',
      ({ to }) =>
        `Fehler bei der Nachrichtenzustellung an folgende Empfänger oder Verteilerlisten:\n\n${to}\nDie eingegebene E-Mail-Adresse konnte nicht gefunden werden.\n\nDiagnoseinformationen für Administratoren:\n\n#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##`,
      'Microsoft Outlook <postmaster@example.org>',
    ),
  },
  {
    name: 'Yahoo, a policy',
    expected: 'undetermined policy',
    mail: report(
      '5.7.9',
      '554 5.7.9 Message not accepted for policy reasons. See https://postmaster.yahooinc.com/error-codes',
    ),
  },
  {
    name: 'Gmail, several lines',
    expected: 'hard no_mailbox',
    mail: report(
      '5.1.1',
      "550-5.1.1 The email account that you tried to reach does not exist. Please try\n 550-5.1.1 double-checking the recipient's email address for typos or\n 550 5.1.1 unnecessary spaces. https://support.google.com/mail/?p=NoSuchUser",
    ),
  },
  {
    name: 'Gmail, an account that is not in use',
    expected: 'undetermined general',
    mail: report(
      '5.2.1',
      '550-5.2.1 The email account that you tried to reach is inactive.\n 550 5.2.1 https://support.google.com/mail/?p=DisabledUser',
    ),
  },
  {
    name: 'Gmail, full storage',
    expected: 'undetermined mailbox_full',
    mail: report(
      '5.2.2',
      "552-5.2.2 The recipient's inbox is out of storage space. Please direct the\n 552 5.2.2 recipient to https://support.google.com/mail/?p=OverQuotaPerm",
    ),
  },
  {
    name: 'Gmail, too much mail for one person',
    expected: 'undetermined policy',
    mail: report(
      '5.2.1',
      '550-5.2.1 The user you are trying to contact is receiving mail at a rate that\n 550 5.2.1 prevents additional messages from being delivered.',
    ),
  },
  {
    name: 'GMX, an unknown mailbox',
    expected: 'hard no_mailbox',
    mail: report(
      '5.0.0',
      '550 Requested action not taken: mailbox unavailable\n For explanation visit https://postmaster.gmx.net/en/case?c=hd',
    ),
  },
  {
    name: 'Domino, a full disk',
    expected: 'undetermined mailbox_full',
    mail: bounceForPeople(
      'DELIVERY FAILURE: Router: Database disk quota exceeded',
      ({ to }) =>
        `Your message\n\n  Subject: Hello\n\nwas not delivered to:\n\n  ${to}\n\nbecause:\n\n  Router: Database disk quota exceeded`,
      'Postmaster@example.org',
    ),
  },
  {
    name: 'Domino, an address book without the user',
    expected: 'hard no_mailbox',
    mail: bounceForPeople(
      'DELIVERY FAILURE: User not listed in public Name & Address Book',
      ({ to }) =>
        `Your message\n\n  Subject: Hello\n\nwas not delivered to:\n\n  ${to}\n\nbecause:\n\n  User ada (${to}) not listed in public Name & Address Book`,
      'Postmaster@example.org',
    ),
  },
  {
    name: 'Chinese bytes (GBK) about an unknown user',
    expected: 'hard no_mailbox',
    mail: report('5.1.1', bytesOf.chineseUnknown),
  },
  {
    name: 'Chinese bytes (GBK) about spam',
    expected: 'undetermined content_rejected',
    mail: report('5.1.1', bytesOf.chineseSpam),
  },
  {
    name: 'Chinese text about spam',
    expected: 'undetermined content_rejected',
    mail: report('5.1.1', '550 5.1.1 您的邮件被判定为垃圾邮件'),
  },
  {
    name: 'Japanese bytes (Shift_JIS) about a full mailbox',
    expected: 'undetermined no_mailbox',
    mail: report('5.1.1', bytesOf.japaneseFull),
  },
  {
    name: 'Japanese bytes in a mail that names their character set',
    expected: 'undetermined mailbox_full',
    mail: (message) =>
      Buffer.from(
        report('5.1.1', bytesOf.japaneseFull)(message).toString('latin1').replace('us-ascii', 'Shift_JIS'),
        'latin1',
      ),
  },
  {
    name: 'Russian bytes (Windows-1251) about a full mailbox',
    expected: 'undetermined no_mailbox',
    mail: report('5.1.1', bytesOf.russianFull),
  },
  {
    name: 'Japanese in escape sequences',
    expected: 'hard no_mailbox',
    mail: report('5.0.0', '550 \u001b$B%f!<%6!<$,8+$D$+$j$^$;$s\u001b(B'),
  },
  {
    name: 'Chinese text with a damaged end',
    expected: 'undetermined content_rejected',
    mail: report(
      '5.1.1',
      Buffer.concat([Buffer.from('550 5.1.1 您的邮件被判定为垃圾邮件'), Buffer.from([0xe9, 0x82])]),
    ),
  },
  { name: 'an international address in numbers (RFC 6533)', expected: 'hard no_mailbox', mail: international },
  {
    name: 'hMailServer, a refused sender',
    expected: 'undetermined no_mailbox',
    mail: bounceForPeople(
      'Message undeliverable: Hello',
      ({ to }) =>
        `Your message did not reach some or all of the intended recipients.\n\nThe following recipient(s) could not be reached:\n\n${to}\n   Error Type: SMTP\n   Remote server (192.0.2.1) issued an error.\n   hMailServer sent: MAIL FROM:<hello@example.com>\n   Remote server replied: 550 unknown user`,
    ),
  },
  {
    name: 'hMailServer, an unknown user',
    expected: 'hard no_mailbox',
    mail: bounceForPeople(
      'Message undeliverable: Hello',
      ({ to }) =>
        `Your message did not reach some or all of the intended recipients.\n\nThe following recipient(s) could not be reached:\n\n${to}\n   Error Type: SMTP\n   Remote server (192.0.2.1) issued an error.\n   hMailServer sent: RCPT TO:<${to}>\n   Remote server replied: 550 Unknown user`,
    ),
  },
  {
    name: 'MDaemon, a bounce that calls itself a warning',
    expected: 'hard no_mailbox',
    mail: bounceForPeople(
      'Warning: Undeliverable mail',
      ({ to }) =>
        `The following data may contain addresses which could not be delivered.\n\n${to} - Recipient unknown\n\n--> RCPT To:<${to}>\n<-- 550 <${to}>, Recipient unknown`,
      'MDaemon at mx.example.com <MDaemon@mx.example.com>',
    ),
  },
  {
    name: 'Sendmail, a warning',
    expected: 'delivery_delayed',
    mail: bounceForPeople(
      'Warning: could not send message for past 4 hours',
      ({ to }) =>
        `    **********************************************\n    **      THIS IS A WARNING MESSAGE ONLY      **\n    **  YOU DO NOT NEED TO RESEND YOUR MESSAGE  **\n    **********************************************\n\n   ----- Transcript of session follows -----\n<${to}>... Deferred: 450 4.1.1 unknown user`,
    ),
  },
  {
    name: 'GMX, a refused sender',
    expected: 'undetermined no_mailbox',
    mail: exim('SMTP error from remote server after MAIL command:\n550 5.1.1 unknown user'),
  },
  {
    name: 'GMX, refused content',
    expected: 'undetermined no_mailbox',
    mail: exim('SMTP error from remote server after transfer of mail text:\n550 User unknown'),
  },
  {
    name: 'a reply in brackets',
    expected: 'hard no_mailbox',
    mail: bounceForPeople(
      'There was an error sending your mail',
      ({ to }) =>
        `We had trouble delivering your message.\n\nSMTP Server <mx.example.org> rejected recipient <${to}>\n  (Error following RCPT command). It responded as follows: [550 5.1.1 <${to}>... User Unknown]`,
    ),
  },
  {
    name: 'Barracuda, a block behind the address',
    expected: 'undetermined policy',
    mail: report('5.0.0', '550 permanent failure for one or more recipients (ada@example.org:blocked)'),
  },
  {
    name: 'Hotmail, an unknown mailbox',
    expected: 'hard no_mailbox',
    mail: report('5.5.0', '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).'),
  },
  {
    name: 'Hotmail, a block list',
    expected: 'undetermined policy',
    mail: report(
      '5.7.1',
      "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140).",
    ),
  },
  {
    name: 'Postfix, a block that a check of the address met',
    expected: 'undetermined policy',
    mail: report(
      '5.1.1',
      '550 5.1.1 <ada@example.org>: Recipient address rejected: undeliverable address: host mx2.example.org[192.0.2.7] said: 554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org (in reply to RCPT TO command)',
    ),
  },
  {
    name: 'Postfix, a check of the address that timed out',
    expected: 'soft general',
    mail: report(
      '4.1.1',
      '450 4.1.1 <ada@example.org>: Recipient address rejected: unverified address: connect to mx2.example.org[192.0.2.7]:25: Connection timed out',
    ),
  },
  {
    name: 'line endings of CR only',
    expected: 'hard no_mailbox',
    mail: (message) =>
      Buffer.from(report('5.1.1', '550 5.1.1 No such user')(message).toString().replaceAll('\n', '\r')),
  },
  {
    name: 'a delay whose words say unknown user',
    expected: 'delivery_delayed',
    mail: report('4.4.1', '450 4.1.1 User unknown', 'delayed'),
  },
  {
    name: 'a report that the mail was passed on',
    expected: 'ignored no_outcome',
    mail: report('2.0.0', '250 OK', 'relayed'),
  },
];
