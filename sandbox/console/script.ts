/**
 * Keeps the page as the server would send it now. The server says by an event that something changed; the script then asks
 * for this page again, at most twice a second, and puts each changed part in its place. Details that are open stay open, and a part
 * that has the keyboard's focus stays as it is until the focus has left it.
 */
export const script = `
const pause = document.getElementById('pause');
const parts = () => document.querySelectorAll('[data-live]');
let paused = false;
let stale = false;
let asking = false;

const ticking = () => {
  for (const panel of document.querySelectorAll('[data-left-ms]')) {
    const until = (panel.untilMs ??= performance.now() + Number(panel.dataset.leftMs));
    const leftMs = Math.max(0, until - performance.now());
    const seconds = Math.ceil(leftMs / 1000);
    panel.querySelector('[data-countdown]').textContent =
      Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0') + ' left';
    panel.querySelector('progress').value = leftMs;
    panel.querySelector('[data-window=open]').hidden = leftMs === 0;
    panel.querySelector('[data-window=over]').hidden = leftMs > 0;
  }
};

const putInPlace = (text) => {
  const fresh = new DOMParser().parseFromString(text, 'text/html');
  for (const part of parts()) {
    const next = fresh.querySelector('[data-live=' + part.dataset.live + ']');
    if (!next || part.lastText === next.innerHTML) continue;
    if (part.contains(document.activeElement)) { stale = true; continue; }
    const open = [...part.querySelectorAll('details[open]')].map(({ id }) => id);
    part.lastText = next.innerHTML;
    part.innerHTML = next.innerHTML;
    for (const id of open) document.getElementById(id)?.setAttribute('open', '');
  }
  ticking();
};

const refresh = async () => {
  if (paused || asking || !stale) return;
  asking = true;
  stale = false;
  try {
    const answer = await fetch(location.pathname + location.search, { headers: { accept: 'text/html' } });
    if (answer.ok) putInPlace(await answer.text());
  } catch {
    // The stack was stopped: the page stays as it was last.
  }
  asking = false;
};

setInterval(ticking, 1000);
ticking();
if (document.body.hasAttribute('data-live-page') && pause) {
  pause.closest('[hidden]').hidden = false;
  new EventSource('/events').onmessage = () => { stale = true; };
  setInterval(refresh, 500);
  pause.addEventListener('click', () => {
    paused = !paused;
    pause.setAttribute('aria-pressed', String(paused));
    pause.textContent = paused ? 'Go on with updates' : 'Pause updates';
  });
}
`;
