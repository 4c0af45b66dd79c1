/** The look of the console, in light and in dark. */
export const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif;
  --text: #1b1b2f; --quiet: #55556b; --page: #f6f6fb; --card: #fff; --line: #cfcfe0; --main: #2b2256; --on-main: #fff;
  --link: #3d2fa0; --good: #0b6b34; --bad: #a8201a; --notice: #fff6d6; --notice-line: #8a6d00; --focus: #b3470b;
  color: var(--text); background: var(--page); }
@media (prefers-color-scheme: dark) { :root {
  --text: #ececf6; --quiet: #b6b6cc; --page: #14141f; --card: #1e1e2e; --line: #44445c; --main: #cfc6ff; --on-main: #1a1338;
  --link: #c3b8ff; --good: #6fdc9c; --bad: #ff9c94; --notice: #3a3210; --notice-line: #d8b84a; --focus: #ffb27a; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; }
header { background: #2b2256; color: #fff; padding: 0 1rem; }
header p { max-width: 76rem; margin: 0 auto; padding: .75rem 0; }
main { max-width: 78rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
h1 { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: .5rem 0; }
h3 { font-size: 1rem; margin: .25rem 0; }
small { font-weight: 400; }
a { color: var(--link); }
section, .card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .5rem 1rem; margin: 0 0 1rem; }
.quiet { color: var(--quiet); font-size: .9rem; margin: .25rem 0; }
.pause { margin: 0 0 1rem; }
.notice { background: var(--notice); border: 1px solid var(--notice-line); border-radius: .5rem; padding: 0 1rem; margin: 0 0 1rem; }
.now { font-size: 1.1rem; margin: .25rem 0 .5rem; }
button { font: inherit; background: var(--main); color: var(--on-main); border: 2px solid var(--main); border-radius: .4rem; padding: .35rem .8rem; min-height: 2.5rem; cursor: pointer; }
.plain button, .card button, .pause button { background: transparent; color: var(--link); border-color: currentColor; }
input, select { font: inherit; padding: .3rem .5rem; min-height: 2.5rem; max-width: 100%; border: 1px solid var(--quiet); border-radius: .4rem; background: var(--page); color: inherit; }
input[type=checkbox] { width: 1.25rem; height: 1.25rem; min-height: 0; margin: 0; accent-color: var(--main); }
.actions, .search { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin: .5rem 0; }
.actions form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; }
label { display: flex; flex-direction: column; font-size: .9rem; }
label.choice { flex-direction: row; gap: .5rem; align-items: center; min-height: 2.5rem; }
.search label { max-width: 100%; }
nav ul { list-style: none; padding: 0; margin: 0 0 1rem; display: flex; flex-wrap: wrap; gap: .5rem; }
nav a { display: inline-block; padding: .35rem .75rem; border: 1px solid var(--line); border-radius: 2rem; background: var(--card); text-decoration: none; }
.cards { list-style: none; padding: 0; margin: .5rem 0; display: grid; gap: .75rem; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); }
.cards .card { margin: 0; background: var(--page); }
.card p { margin: .25rem 0; }
.plain { list-style: none; padding: 0; margin: 0; }
.plain li { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .25rem 1rem; padding: .35rem 0; }
.plain li + li { border-top: 1px solid var(--line); }
.stories { list-style: none; padding: 0; margin: .5rem 0; }
.stories > li { border-top: 1px solid var(--line); }
summary { padding: .5rem 0; cursor: pointer; min-height: 2.5rem; }
.stories .quiet { display: inline-block; }
ol.checks { columns: 2 16rem; padding-left: 1.75rem; }
ol.checks li { break-inside: avoid; margin: 0 0 .25rem; }
ol.checks .quiet { display: block; }
ol.checks b.quiet { display: inline; font-weight: 400; font-size: 1rem; }
.status { display: inline-block; min-width: 2.5rem; font-weight: 700; }
.answered { color: var(--good); }
.refused, .why { color: var(--bad); }
.why, .what { margin-right: .5rem; }
code, .code { font-family: ui-monospace, monospace; }
.code { font-size: 1.25rem; letter-spacing: .1em; }
dl { display: grid; grid-template-columns: minmax(8rem, 1fr) 4fr; gap: .25rem 1rem; margin: 0 0 1rem; }
dt { font-weight: 600; }
dd { margin: 0; min-width: 0; }
dd ul { padding-left: 1rem; margin: 0; }
pre { background: #16162b; color: #f0f0ff; padding: .75rem; margin: 0; border-radius: .4rem; overflow: auto; max-height: 24rem; font-size: .8rem; white-space: pre-wrap; }
progress { width: 100%; height: .75rem; accent-color: var(--main); display: block; }
.pages { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; }
.pages a { padding: .5rem 0; }
a, button, input, select, summary, pre { outline-offset: 2px; }
:focus-visible { outline: 3px solid var(--focus); }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
`;
