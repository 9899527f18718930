// time-limit: 120
// Facebook Pages against a strict local server.
// full-run: slow
import { suite } from 'uvu';
import { socialAdapterSuite } from '../../plugins/social/testing/index.ts';
import { facebookBench } from './social-servers/facebook.ts';

const test = suite('facebookSocial');
const harness = async () => (await facebookBench()).subject;

socialAdapterSuite('facebookSocial', harness, (name, run) => test(name, run));

test.run();
