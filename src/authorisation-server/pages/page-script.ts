import { type Html, html } from './html.js';

/**
 * The only script of the pages: a form that was sent is not sent again by a second click. Its buttons are disabled after the
 * browser has read which one was pressed, and work again on a page to which the browser goes back. The hidden button of a page
 * leaves the page as it is. Without scripts the pages work too: of two posts the gateway carries out the first.
 */
export const scriptElement: Html = html`<script>
  let sent = false;
  function disable(isSent) {
    sent = isSent;
    for (const button of document.querySelectorAll('button')) button.disabled = isSent;
  }
  addEventListener('submit', (event) => {
    if (event.submitter?.hidden) return;
    if (sent) event.preventDefault();
    sent = true;
    setTimeout(disable, 0, true);
  });
  addEventListener('pageshow', () => disable(false));
</script>`;

/** Its text, of which the policy of the pages has the hash. */
export const pageScript = scriptElement.toString().slice('<script>'.length, -'</script>'.length);
