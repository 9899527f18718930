// The part of console pages that shows the differences of two versions.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { differences, markedDifference } from '../../core/pages/console-differences.ts';

const test = suite('differences in the console');
const differenceOf = (before: string, after: string) => markedDifference(before, after).html;
const linesOf = (before: string, after: string) => differences([{ name: 'Body', before, after, isLong: true }]).html;

test('the difference of two texts marks removed and added words', () => {
  assert.is(differenceOf('a b c', 'a x c'), 'a <del>b</del><ins>x</ins> c');
  assert.is(differenceOf('', '<b>'), '<ins>&lt;b&gt;</ins>');
  assert.is(differenceOf('one two three four', 'two three four five'), '<del>one </del>two three four<ins> five</ins>');
  const long = 'word '.repeat(400);
  assert.is(differenceOf(`${long}x`, `${long}y`), `${long}<del>x</del><ins>y</ins>`);
  const [removedText, addedText] = ['a '.repeat(1_000), 'b '.repeat(1_000)];
  assert.match(differenceOf(removedText, addedText), /^<del>a .*<\/del><ins>b .*<\/ins> $/);
});

test('a long text shows its changed lines with a sign, and three equal lines around them', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  const html = linesOf(lines.join('\n'), lines.with(10, '<script>alert(1)</script>').join('\r\n'));
  assert.match(html, '<span class="gap">7 more lines are the same</span><span>  line 7</span>');
  assert.match(html, '<del>− line 10</del><ins>+ &lt;script&gt;alert(1)&lt;/script&gt;</ins><span>  line 11</span>');
  assert.match(html, 'line 13</span><span class="gap">6 more lines are the same</span></pre>');
  assert.not.match(html, 'line 6<');
});

test('a body without line breaks is divided after its tags, so that only the changed piece is marked', () => {
  const body = '<td>cell</td>'.repeat(50);
  const html = linesOf(`${body}<p>old</p>${body}`, `${body}<p>new</p>${body}`);
  assert.is(html.match(/<(?:del|ins)>/g)?.length, 2);
  assert.match(html, '<del>− old&lt;/p&gt;</del><ins>+ new&lt;/p&gt;</ins>');
});

test('texts of any size are shown within a second, with at most 400 lines', () => {
  const numbers = (from: number) => Array.from({ length: 30_000 }, (_, index) => String(from + index)).join('\n');
  const startedAt = performance.now();
  const html = linesOf(numbers(0), numbers(100_000));
  linesOf('x'.repeat(500_000), `${'y'.repeat(500_000)}`);
  assert.ok(performance.now() - startedAt < 2_000);
  assert.is(html.match(/<(?:del|ins)>/g)?.length, 400);
  assert.match(html, '59,600 more lines are not shown here.');
});

test('equal parts are left out, and the page says so if two versions are equal', () => {
  const same = { name: 'Subject', before: 'One', after: 'One' };
  assert.match(differences([same]).html, 'Nothing differs.');
  const html = differences([same, { name: 'Name <b>', before: 'One', after: 'Two' }]).html;
  assert.not.match(html, 'Subject');
  assert.match(html, '<h3 dir="auto">Name &lt;b&gt;</h3><pre dir="auto"><del>One</del><ins>Two</ins></pre>');
});

test.run();
