// The colours of the pages that the service writes without a script, light and dark. Each page puts them before its own style.
// They have the values of browser/appearance.css, so that pages with and without a script look alike.

/**
 * `--paper` and `--card` are backgrounds, `--ink` and `--soft` texts, `--line` and `--faint` lines, `--shade` the
 * background of small things, `--link` links, `--act` buttons, `--out` failures and outgoing things, `--in` incoming
 * things.
 */
export const pageColours = `:root{color-scheme:light dark;--paper:#f4f6f2;--card:#fff;--ink:#16241d;--soft:#54635b;--line:#7a867f;--faint:#dfe5de;--shade:#eef1ec;--link:#0f5c3f;--act:#14523a;--on-act:#fff;--out:#ab2a2d;--out-paper:#fbeceb;--in:#126a45;--in-paper:#e3eee7}
@media (prefers-color-scheme:dark){:root{--paper:#0b100d;--card:#131a16;--ink:#e4ece7;--soft:#9cada4;--line:#6a7a71;--faint:#232e28;--shade:#1a2b23;--link:#8fd3b1;--act:#8fd6b3;--on-act:#10241a;--out:#f29a98;--out-paper:#2b1a1a;--in:#7fcfa6;--in-paper:#1a2b23}}
`;
