import { showWindows } from '../web/time.js';

/**
 * Keeps the page as the server would send it now. The server says by an event that something changed; the script then asks
 * for this page again, at most twice a second, and puts each changed part in its place. Details that are open stay open, and a part
 * that has the keyboard's focus stays as it is until the focus has left it.
 */
export const script = `${showWindows}
const pause = document.getElementById('pause');
const parts = () => document.querySelectorAll('[data-live]');
let paused = false;
let stale = false;
let asking = false;

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
  showWindows();
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
