// time-limit: 120
// Pinterest against a strict local server.
import { suite } from 'uvu';
import { socialAdapterSuite } from '../../plugins/social/testing/index.ts';
import { pinterestBench } from './social-servers/pinterest.ts';

const test = suite('pinterestSocial');
const harness = async () => (await pinterestBench()).subject;

socialAdapterSuite('pinterestSocial', harness, (name, run) => test(name, run));

test.run();
