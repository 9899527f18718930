// time-limit: 120
// Facebook Pages against a strict local server.
import { suite } from 'uvu';
import { socialAdapterSuite } from '../../plugins/social/testing/index.ts';
import { facebookSubject } from './social-servers/facebook.ts';

const test = suite('facebookSocial');

socialAdapterSuite('facebookSocial', facebookSubject, (name, run) => test(name, run));

test.run();
