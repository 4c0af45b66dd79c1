export const style = `
:root { color-scheme: light; font: 1rem/1.5 system-ui, sans-serif; color: #1b1b2f; background: #f6f6fb; }
* { box-sizing: border-box; }
[hidden] { display: none; }
body { margin: 0; }
header { background: #2b2256; color: #fff; padding: 0 1rem; }
header p { max-width: 76rem; margin: 0 auto; padding: .75rem 0; }
header a { color: #fff; font-weight: 700; }
header .funds { float: right; }
main { max-width: 78rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
main > p { max-width: 40rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 1rem 0; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: .5rem 0; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
a { color: #3d2fa0; }
section, .card { background: #fff; border: 1px solid #cfcfe0; border-radius: .5rem; padding: .5rem 1rem; margin: 0 0 1rem; }
.card h3 { margin-top: .25rem; }
.notice { background: #fff6d6; border: 1px solid #8a6d00; border-radius: .5rem; padding: .5rem 1rem; }
fieldset { border: 1px solid #cfcfe0; border-radius: .5rem; margin: 1rem 0; padding: .5rem 1rem; background: #fff; }
legend { float: left; width: 100%; font-weight: 600; }
legend + * { clear: both; }
form + section { margin-top: 1rem; }
form label { display: block; padding: .35rem 0; min-height: 1.5rem; }
.choice { display: flex; gap: .6rem; align-items: start; }
.choice input { flex: none; width: 1.25rem; height: 1.25rem; margin: .15rem 0 0; accent-color: #2b2256; }
select, input:not([type]) { font: inherit; padding: .4rem; min-height: 2.75rem; border: 1px solid #6b6b85; border-radius: .4rem; background: #fff; color: inherit; }
button { font: inherit; background: #2b2256; color: #fff; border: 2px solid #2b2256; border-radius: .4rem; padding: .5rem 1rem; min-height: 2.75rem; cursor: pointer; }
.connection button { background: #fff; color: #2b2256; }
form > button { margin-top: .5rem; }
main > form { max-width: 40rem; margin-bottom: 1.5rem; }
code { display: inline-block; font-size: .85rem; }
a, button, input, select, summary, pre { outline-offset: 2px; }
:focus-visible { outline: 3px solid #b3470b; }
.connection { display: flex; flex-wrap: wrap; gap: 0 2rem; align-items: center; }
.window { flex: 1 1 24rem; }
.window p { margin: .25rem 0; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; padding-bottom: .5rem; }
progress { width: 100%; height: .75rem; accent-color: #2b2256; display: block; }
.account { display: grid; grid-template-columns: 1fr; }
.account p { margin: 0; color: #55556b; }
.figures { display: flex; flex-wrap: wrap; gap: .25rem 2rem; margin: .5rem 0; }
.figures dt { font-weight: 400; color: #55556b; }
.figures dd { font-size: 1.3rem; font-weight: 600; }
.figure { font-size: 1.5rem; font-weight: 600; margin: 0; }
.figures dd, .figure, .amount { font-variant-numeric: tabular-nums; white-space: nowrap; }
.card > p { margin: .25rem 0; }
.entries { list-style: none; padding: 0 1rem; margin: 0 0 1rem; background: #fff; border: 1px solid #cfcfe0; border-radius: .5rem; }
.entries li { display: flex; justify-content: space-between; gap: 1rem; padding: .5rem 0; }
.entries li + li { border-top: 1px solid #e2e2ee; }
.amount { text-align: right; }
.amount small { display: block; color: #55556b; }
.in { color: #0b6b34; }
dl { display: grid; grid-template-columns: minmax(8rem, 1fr) 2fr; gap: .25rem 1rem; margin: .5rem 0; }
dl.figures { display: flex; }
dt { font-weight: 600; }
dd { margin: 0; }
dd ul { padding-left: 1rem; margin: 0; }
pre { background: #16162b; color: #f0f0ff; padding: .75rem; border-radius: .4rem; overflow: auto; max-height: 32rem; font-size: .8rem; white-space: pre-wrap; }
summary { padding: .35rem 0; cursor: pointer; }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .5rem; }
nav a { display: inline-block; padding: .35rem .75rem; border: 1px solid #cfcfe0; border-radius: 2rem; background: #fff; text-decoration: none; }
nav a[aria-current] { background: #2b2256; border-color: #2b2256; color: #fff; }
@media (min-width: 64rem) {
  .side-by-side { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 2rem; align-items: start; }
  .side-by-side > .raw { position: sticky; top: 0; }
}
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
`;
