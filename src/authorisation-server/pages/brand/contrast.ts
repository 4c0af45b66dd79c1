/** A colour as `#rrggbb`. */
export type HexColour = `#${string}`;

/** WCAG 2.2, success criterion 1.4.3 (AA), for text of any size. */
export const textContrast = 4.5;

export function isHexColour(text: unknown): text is HexColour {
  return typeof text === 'string' && /^#[0-9a-f]{6}$/i.test(text);
}

/** The contrast ratio of WCAG 2.2, 1 to 21; which of the two is the text makes no difference. */
export function contrastRatio(one: HexColour, other: HexColour): number {
  const [darker, lighter] = [relativeLuminance(one), relativeLuminance(other)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  return (lighter + 0.05) / (darker + 0.05);
}

/** WCAG 2.2, "relative luminance". */
function relativeLuminance(colour: HexColour): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
