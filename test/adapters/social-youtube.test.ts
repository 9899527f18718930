// time-limit: 120
// YouTube against a strict local server.
import { suite } from 'uvu';
import { socialAdapterSuite } from '../../plugins/social/testing/index.ts';
import { youtubeBench } from './social-servers/youtube.ts';

const test = suite('youtubeSocial');
const harness = async () => (await youtubeBench()).subject;

socialAdapterSuite('youtubeSocial', harness, (name, run) => test(name, run));

test.run();
