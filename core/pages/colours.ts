// The colours of the pages that the service writes without a script, light and dark. Each page puts them before its own style.

/**
 * `--paper` and `--card` are grounds, `--ink` and `--soft` texts, `--line` and `--faint` lines, `--shade` the ground of small things,
 * `--link` links, `--act` what is to be pressed, `--out` and `--in` what fails or goes and what comes.
 */
export const pageColours = `:root{color-scheme:light dark;--paper:#f6f6f4;--card:#fff;--ink:#1b1d21;--soft:#53575f;--line:#878b93;--faint:#dcdcd8;--shade:#ececea;--link:#0b57a4;--act:#14523a;--on-act:#fff;--out:#8c1d18;--out-paper:#fbe4e2;--in:#0f5132;--in-paper:#dff3e6}
@media (prefers-color-scheme:dark){:root{--paper:#141517;--card:#1e2023;--ink:#f2f2ef;--soft:#b9bcc3;--line:#8d9098;--faint:#35383d;--shade:#2d2f34;--link:#8fc1ff;--act:#8fd6b3;--on-act:#10241a;--out:#ffb4ab;--out-paper:#4a1714;--in:#9be2b8;--in-paper:#12392a}}
`;
