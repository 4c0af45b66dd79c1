import type { LoadProgress } from '../src/core-banking/adapters/registry.js';

/** Standard error, as far as the progress needs it. */
interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** The least time between two reports: on a terminal, where each replaces the one before, and in a log. */
const [terminalMs, logMs] = [200, 5_000] as const;

/** Shows rows, share and rate: on a terminal in one line that changes, otherwise in plain lines. */
export function loadProgress(screen: Screen, nowMs: () => number = () => performance.now()): LoadProgress {
  const isTerminal = screen.isTTY === true;
  let file = { name: '', rows: 0, beganMs: 0 };
  let shownMs = 0;
  const show = (line: string): void => {
    shownMs = nowMs();
    screen.write(isTerminal ? `\r\u001b[K${line}` : `${line}\n`);
  };
  return {
    file: (name, rows) => {
      file = { name, rows, beganMs: nowMs() };
      show(`${name}: ${rows.toLocaleString('en')} rows`);
    },
    rows: (read) => {
      if (nowMs() - shownMs < (isTerminal ? terminalMs : logMs)) return;
      const share = file.rows === 0 ? 100 : Math.min(100, Math.floor((read / file.rows) * 100));
      const rate = Math.round(read / ((nowMs() - file.beganMs) / 1_000));
      show(`${file.name}: ${read.toLocaleString('en')} rows, ${share} %, ${rate.toLocaleString('en')} rows a second`);
    },
    step: (name) => show(`${name} the records`),
    end: () => {
      if (isTerminal) screen.write('\r\u001b[K');
    },
  };
}
