// If a connection string has an unescaped character in its password, creating the adapter throws, and the error shows no part of the
// string: a driver would read a part of the password as the host and put it into its error.
import { inspect } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { redisLimits } from '../../adapters/limits/redis.ts';
import { bullmqQueue } from '../../adapters/queue/bullmq.ts';
import { pgBossQueue } from '../../adapters/queue/pg-boss.ts';
import { rabbitmqQueue } from '../../adapters/queue/rabbitmq.ts';
import { mysqlStorage } from '../../adapters/storage/mysql.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';

const test = suite('connection strings');

const factories: readonly (readonly [option: string, scheme: string, make: (url: string) => unknown])[] = [
  ['postgresStorage: connectionString', 'postgres', (connectionString) => postgresStorage({ connectionString })],
  ['mysqlStorage: uri', 'mysql', (uri) => mysqlStorage({ uri })],
  ['pgBossQueue: connectionString', 'postgresql', (connectionString) => pgBossQueue({ connectionString })],
  ['rabbitmqQueue: url', 'amqp', (url) => rabbitmqQueue({ url })],
  ['bullmqQueue: url', 'redis', (url) => bullmqQueue({ url })],
  ['redisLimits: url', 'rediss', (url) => redisLimits({ url })],
];

const misread = [
  ...['sesame@left#right', 'sesame@left/right', 'sesame@left?right', 'sesame#right', 'sesame/right', 'sesame?right'],
  ...['123/456', '123#456', '123?456', 'sesame@/right', 'sesame@left?x=right', 'sesame@left?x=1&right'],
];

for (const [option, scheme, make] of factories) {
  test(`${option}: a string that would be read as another host is refused, and the error shows no part of it`, () => {
    const strings = [
      ...misread.map((password) => `${scheme}://me:${password}@base.example:7000/shop`),
      `me:sesame@base.example/shop`,
    ];
    for (const text of strings) {
      let refusal: unknown;
      try {
        make(text);
      } catch (error) {
        refusal = error;
      }
      assert.instance(refusal, RangeError, text);
      const firstLine = inspect(refusal, { depth: 9, showHidden: true }).split('\n')[0] ?? '';
      assert.ok(
        firstLine.includes(`${option} cannot be read as a connection string`) &&
          firstLine.includes('encodeURIComponent'),
        firstLine,
      );
      assert.not.match(inspect(refusal, { depth: 9 }).replace(/^ +at .*$/gm, ''), /sesame|left|right|123|456|example/);
    }
  });

  test(`${option}: escaped and unambiguous strings are accepted`, () => {
    for (const password of [encodeURIComponent('a@b#c/d?e:f%g'), 'a@b', 'a:b', '', 'a+b'])
      make(`${scheme}://me:${password}@base.example:7000/shop`);
    make(`${scheme}://base.example/shop?user=me@base`);
  });
}

test('PostgreSQL: a socket, and a host in a parameter, are accepted', () => {
  for (const connectionString of [
    ...['/var/run/postgresql shop', 'postgres://me:secret@/shop?host=/var/run/postgresql', 'postgres:///shop'],
    ...['socket:/var/run/postgresql?db=shop', 'postgres://%2Fvar%2Frun/shop', 'postgres://[::1]:5432/shop'],
  ])
    postgresStorage({ connectionString });
});

test('MySQL: a missing host is refused before the driver shows the string', () => {
  assert.throws(() => mysqlStorage({ uri: 'mysql://me:sesame@/shop' }), /cannot be read as a connection string/);
});

test.run();
