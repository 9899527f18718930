// Paints the covers. The front shows the title on the brand's colour, with the brand's logo or name above; the back
// shows only the name.
import type { Book } from './book.ts';
import { plainStyle } from './markdown.ts';
import { leadingOf, page, type Sheet, textWidth } from './sheet.ts';

/** The top of the coloured area. */
const groundTop = 250;
const logoBox = { width: 200, height: 72 } as const;

/** Font sizes of the title. The first size at which the title takes at most five lines is used. */
const sizes = [44, 38, 32, 27, 22] as const;

async function titleLines(sheet: Sheet, title: string) {
  for (const size of sizes) {
    const lines = await sheet.lines([{ ...plainStyle, text: title }], {
      role: 'heading',
      size,
      width: textWidth,
      bold: true,
      isRtl: sheet.isRtl,
    });
    if (lines.length <= 5 || size === 22) return { size, lines };
  }
  throw new Error('There is a smallest size.');
}

/** @param logo a PNG or a JPEG picture */
export async function paintFrontCover(
  sheet: Sheet,
  { title, style }: Book,
  logo: Uint8Array | undefined,
): Promise<void> {
  const { pdf, colours } = sheet;
  sheet.addPage({ isCover: true });
  const section = sheet.tag(sheet.root, 'Sect');
  sheet.artifact(() => {
    pdf.rect(0, groundTop, page.width, page.height - groundTop).fill(colours.ground);
    pdf.rect(0, groundTop, page.width, 8).fill(colours.accent);
  });
  const logoPosition = {
    x: sheet.isRtl ? page.left + textWidth - logoBox.width : page.left,
    y: groundTop - 60 - logoBox.height,
  };
  if (logo !== undefined) {
    const bbox = [logoPosition.x, logoPosition.y, logoPosition.x + logoBox.width, logoPosition.y + logoBox.height];
    const figure = sheet.tag(section, 'Figure', { alt: style?.name ?? '', bbox } as never);
    sheet.content(figure, () => {
      pdf.image(Buffer.from(logo), logoPosition.x, logoPosition.y, {
        fit: [logoBox.width, logoBox.height],
        valign: 'bottom',
        align: sheet.isRtl ? 'right' : 'left',
      } as never);
    });
    figure.end();
  } else if (style !== undefined) {
    const tag = sheet.tag(section, 'P');
    const [line = []] = await sheet.lines([{ ...plainStyle, text: style.name }], {
      ...{ role: 'heading', size: 18, width: textWidth, bold: true, isRtl: sheet.isRtl },
    });
    sheet.paintLine(tag, line, page.left, groundTop - 62, 18, colours.strong);
    tag.end();
  }
  const { size, lines } = await titleLines(sheet, title);
  const heading = sheet.tag(section, 'H1');
  let y = groundTop + 96;
  for (const line of lines) {
    sheet.paintLine(heading, line, page.left, y + size, size, colours.onGround);
    y += leadingOf(size) * 0.86;
  }
  heading.end();
  if (style !== undefined && logo !== undefined) {
    const tag = sheet.tag(section, 'P');
    const [line = []] = await sheet.lines([{ ...plainStyle, text: style.name }], {
      role: 'body',
      size: 13,
      width: textWidth,
      isRtl: sheet.isRtl,
    });
    sheet.paintLine(tag, line, page.left, page.height - 72, 13, colours.onGround);
    tag.end();
  }
  section.end();
}

export async function paintBackCover(sheet: Sheet, { title, style }: Book): Promise<void> {
  const { pdf, colours } = sheet;
  sheet.addPage({ isCover: true });
  const section = sheet.tag(sheet.root, 'Sect');
  sheet.artifact(() => {
    pdf.rect(0, 0, page.width, page.height).fill(colours.ground);
    pdf.rect(sheet.isRtl ? page.left + textWidth - 64 : page.left, page.height - 150, 64, 6).fill(colours.onGround);
  });
  const tag = sheet.tag(section, 'P');
  const nameLines = await sheet.lines([{ ...plainStyle, text: style?.name ?? title }], {
    ...{ role: 'heading', size: 20, width: textWidth, bold: true, isRtl: sheet.isRtl },
  });
  let y = page.height - 110;
  for (const line of nameLines.slice(0, 3)) {
    sheet.paintLine(tag, line, page.left, y, 20, colours.onGround);
    y += 28;
  }
  tag.end();
  section.end();
}
