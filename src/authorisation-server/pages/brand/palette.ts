import type { HexColour } from './contrast.js';

/** The colours that are the same for every bank. They meet WCAG 2.2 AA; the browser test measures it. */
export interface Palette {
  /** The background of the page. */
  readonly page: HexColour;
  /** The background of the panels. */
  readonly surface: HexColour;
  /** Inside a panel, where something is set apart. */
  readonly inset: HexColour;
  readonly text: HexColour;
  readonly muted: HexColour;
  /** Lines that only decorate. */
  readonly line: HexColour;
  /** Edges of fields and buttons: 3:1 against the surface (WCAG 2.2, 1.4.11). */
  readonly edge: HexColour;
  readonly problem: HexColour;
  readonly success: HexColour;
  readonly focus: HexColour;
}

export const lightPalette: Palette = {
  page: '#f2f4f7',
  surface: '#ffffff',
  inset: '#f6f8fa',
  text: '#15202b',
  muted: '#495866',
  line: '#d5dce3',
  edge: '#6a7987',
  problem: '#b3231b',
  success: '#17663a',
  focus: '#0a58ca',
};

export const darkPalette: Palette = {
  page: '#0f161d',
  surface: '#18222c',
  inset: '#202c38',
  text: '#e9eef3',
  muted: '#aab8c5',
  line: '#344351',
  edge: '#8796a5',
  problem: '#ffb4ab',
  success: '#8ed9aa',
  focus: '#8ec5ff',
};
