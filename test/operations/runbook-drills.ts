import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/persistence/package-root.js';

const [, drills = ''] =
  /^## Drills\n([^]*?)^## /m.exec(readFileSync(join(packageRoot(), 'docs/operate/runbook.md'), 'utf8')) ?? [];
export const sections = new Map(
  [...drills.matchAll(/^### Drill: (.+)\n([^]*?)(?=^### |(?![^]))/gm)].map(([, title = '', text = '']) => [
    title,
    text,
  ]),
);
export const parts = ['Meaning', 'Check', 'Fix', 'Resolved when'] as const;

/** The commands of a part of a drill. */
export function commandsOf(title: string, part: (typeof parts)[number]): string[] {
  const [, text = ''] = new RegExp(`^- ${part}: ([^]*?)(?=^- |(?![^]))`, 'm').exec(sections.get(title) ?? '') ?? [];
  return [...text.matchAll(/`([^`]+)`/g)]
    .map(([, code = '']) => code)
    .filter((code) => code.includes(' ') && !/^\d/.test(code));
}
