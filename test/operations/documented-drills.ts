import { pages } from '../support/documents.js';

/** The text of each drill, by its title. */
export const sections = new Map(
  [...pages]
    .filter(([path]) => path.startsWith('docs/operate/'))
    .flatMap(([, page]) => [...page.matchAll(/^### Drill: (.+)\n([^]*?)(?=^#|(?![^]))/gm)])
    .map(([, title = '', text = '']) => [title, text] as const),
);
export const parts = ['Meaning', 'Check', 'Fix', 'Resolved when'] as const;

/** The commands of a part of a drill. */
export function commandsOf(title: string, part: (typeof parts)[number]): string[] {
  const [, text = ''] = new RegExp(`^- ${part}:\\s+([^]*?)(?=^- |(?![^]))`, 'm').exec(sections.get(title) ?? '') ?? [];
  return [...text.matchAll(/`([^`]+)`/g)]
    .map(([, code = '']) => code)
    .filter((code) => code.includes(' ') && !/^\d/.test(code));
}
