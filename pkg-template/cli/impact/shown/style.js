// The look of the page: light, dark and on paper.

const LIGHT = `--ground:#fff;--ink:#1a1c20;--soft:#5a606b;--line:#dadde3;--card:#f5f6f8;--up:#b4530a;--down:#1d5fbf;--same:#a3a9b4;--fail:#8f1239;--good:#13653c;--good-ground:#e6f4ec;--bad:#8f1239;--bad-ground:#fdeaf0;`;
const DARK = `--ground:#15171b;--ink:#eceef2;--soft:#a7adb9;--line:#343943;--card:#1f2228;--up:#f0a05a;--down:#7db4ff;--same:#6f7682;--fail:#ff8fae;--good:#7fd6a6;--good-ground:#15301f;--bad:#ff9db5;--bad-ground:#3a1420;`;

export const STYLE = `
:root{color-scheme:light dark;${LIGHT}}
@media (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,"Noto Sans Thai",sans-serif;font-variant-numeric:tabular-nums}
main,footer{max-width:60rem;margin:0 auto;padding:0 1.25rem}
main{padding-top:2.5rem}
.kicker{margin:0;color:var(--soft);font-size:.875rem;letter-spacing:.04em;text-transform:uppercase}
h1{margin:.25rem 0 1.25rem;font-size:clamp(1.375rem,4.2vw,2.125rem);line-height:1.25;text-wrap:balance;overflow-wrap:anywhere}
h2{margin:0 0 .75rem;font-size:1.25rem}
section{margin-top:2.75rem}
small{display:block;color:var(--soft);font-size:.8125rem;font-weight:400}
.verdict{display:flex;flex-wrap:wrap;gap:.25rem .75rem;margin:0;padding:.875rem 1rem;border-left:.375rem solid var(--soft);border-radius:.25rem;background:var(--card)}
.verdict.passed{border-color:var(--good);background:var(--good-ground)}
.verdict.passed strong{color:var(--good)}
.verdict.stopped{border-color:var(--bad);background:var(--bad-ground)}
.verdict.stopped strong{color:var(--bad)}
.figures{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));gap:1px;margin:1.25rem 0 0;border:1px solid var(--line);border-radius:.5rem;overflow:hidden;background:var(--line)}
.figures div{padding:.875rem 1rem;background:var(--ground)}
dt{color:var(--soft);font-size:.875rem}
dd{margin:0;font-size:1.375rem;font-weight:600;overflow-wrap:anywhere}
dd small{white-space:normal}
figure{margin:0 0 1.25rem}
svg{display:block;width:100%;height:1.25rem;border-radius:.25rem}
rect.up{fill:var(--up)}rect.down{fill:var(--down)}rect.same{fill:var(--same)}rect.fail{fill:var(--fail)}
.axis{stroke:var(--soft);stroke-width:1;vector-effect:non-scaling-stroke}
.key{display:inline-block;width:.75rem;height:.75rem;margin-right:.375rem;border-radius:.125rem}
.key.up{background:var(--up)}.key.down{background:var(--down)}.key.same{background:var(--same)}.key.fail{background:var(--fail)}
.legend,.bars{margin:.625rem 0 0;padding:0;list-style:none}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}
.sides{display:flex;justify-content:space-between;gap:.75rem;color:var(--soft);font-size:.875rem}
.bars li{display:grid;grid-template-columns:10rem 1fr 9rem;align-items:center;gap:.75rem;padding:.25rem 0}
.value{text-align:right}
table{width:100%;border-collapse:collapse;font-size:.9375rem}
th,td{padding:.5rem .5rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th:first-child,td:first-child{padding-left:0}
th:last-child,td:last-child{padding-right:0}
thead th{color:var(--soft);font-size:.8125rem;font-weight:600;vertical-align:bottom}
tbody th{font-weight:400;overflow-wrap:anywhere}
td{overflow-wrap:anywhere}
.number{text-align:right;white-space:nowrap;overflow-wrap:normal}
thead .number{white-space:normal}
tfoot th,tfoot td{border-bottom:0;font-weight:700}
code{font-size:.875em}
ul{margin:.75rem 0 0;padding-left:1.25rem}
.note{margin:.625rem 0 0;color:var(--soft);font-size:.875rem}
footer{padding-top:2.5rem;padding-bottom:2rem;color:var(--soft);font-size:.8125rem}
@media (max-width:40rem){
main{padding-top:1.5rem}
.figures{grid-template-columns:repeat(2,minmax(0,1fr))}
.figures div{padding:.625rem .75rem}
dd{font-size:1.0625rem}
.bars li{grid-template-columns:1fr auto;gap:0 .75rem}
.bars svg{grid-column:1/-1;grid-row:2;height:.875rem}
table{font-size:.8125rem}
th,td{padding:.4375rem .25rem}
small{font-size:.75rem}
thead th{font-size:.75rem}
}
@media print{
:root{color-scheme:light;${LIGHT}}
@page{margin:16mm}
body{font-size:10.5pt}
main,footer{max-width:none;padding-left:0;padding-right:0}
main{padding-top:0}
.figures{grid-template-columns:repeat(4,1fr)}
.figures div{padding:.5rem .625rem}
dd{font-size:1rem}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
section,figure{margin-top:1.5rem}
tr,figure,.figures{break-inside:avoid}
h2{break-after:avoid}
thead{display:table-header-group}
}
`;
