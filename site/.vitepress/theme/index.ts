// The theme of the documentation site: that of VitePress in the colours of the console, without web fonts.
import DefaultTheme from 'vitepress/theme-without-fonts';
import './colours.css';

// biome-ignore lint/style/noDefaultExport: VitePress reads the default export.
export default DefaultTheme;
