// Pictures and styles of composed mails: only the logo of the brand is loaded.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { announcement } from '../../plugins/templates/composing/announcement.ts';
import { foreignPictures } from '../../plugins/templates/composing/foreign-pictures.ts';
import { starters } from '../../plugins/templates/starters/catalogue.ts';

const test = suite('pictures of composed mails');
const logo = 'https://cdn.acme.example/logo.png';

test('the shells, links, and the logo by its URL or by its variable are accepted', () => {
  for (const { body } of [announcement, ...starters()]) assert.equal(foreignPictures(body, undefined), []);
  for (const body of [
    `<img src="${logo}">`,
    '<img src="{{ logo_url }}">',
    '{% if logo_url %}<img src="{{logo_url}}">{% endif %}',
    '<a href="https://other.example/x.png">A picture</a>',
    '<p style="color:#123456">src and url are words</p>',
  ])
    assert.equal(foreignPictures(body, logo), [], body);
});

test('every other picture, font and style that would be loaded is a fault', () => {
  for (const body of [
    '<img src="https://evil.example/x.png">',
    '<img src=https://evil.example/x.png>',
    '<IMG SRC="https://evil.example/x.png">',
    '<img srcset="https://evil.example/x.png 2x">',
    '<img src="//evil.example/x.png">',
    `<img src="${logo}?to={{name}}">`,
    '<img src="https://evil.example/{{name}}.png">',
    '<img src="{{ name }}">',
    '<img src="{{ logo_url | replace: "cdn", "evil" }}">',
    '<img {% if name %}src="https://evil.example/x.png"{% endif %}>',
    '<im{% if name %}{% endif %}g src="https://evil.example/x.png">',
    '<img sr{% if name %}{% endif %}c="https://evil.example/x.png">',
    '<table background="https://evil.example/x.png"></table>',
    '<div style="background:url(https://evil.example/x.png)"></div>',
    '<style>@import "https://evil.example/x.css";</style>',
    '<style>p { background: URL ("https://evil.example/x.png") }</style>',
    '<link rel="stylesheet" href="https://evil.example/x.css">',
    '<!--[if mso]><img src="https://evil.example/x.png"><![endif]-->',
    '<mj-image src="https://evil.example/x.png" />',
    '<mj-section background-url="https://evil.example/x.png"></mj-section>',
    '<mj-font name="x" href="https://evil.example/x.css" />',
    '<mj-style>@import "https://evil.example/x.css";</mj-style>',
  ])
    assert.is(foreignPictures(body, logo).length, 1, body);
});

test.run();
